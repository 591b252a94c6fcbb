import { type Exhibit, exhibit, unknown } from './exhibit.ts';
import { plus, type Turn, turningAt } from './records.ts';

/** Texts of unchanged records that are equal for programs. */
function rendered(id: string, path: string, turn: Turn, before?: Turn): Exhibit {
  const [name = ''] = path.split('.');
  const sites = [turningAt(path, turn), before && turningAt(path, before)] as const;
  return unknown(exhibit('answer-rendered', name, id, ...sites));
}

/** Adds to the titles of two records. */
function plusOnce(end: string): Turn {
  return (text) => (/^(?:Garden wall|Yellow door)$/.test(String(text)) ? `${String(text)}${end}` : text);
}

/** Unmodified records with other texts and values, which only show that they are rendered otherwise. */
export const TEXT_EXHIBITS: readonly Exhibit[] = [
  rendered('status-word', 'status', plus('ed')),
  rendered('date-shifted', 'date', (date) => String(date).replace(/:\d\d/, ':59')),
  rendered('blanks-hard', 'title.rendered', (title) => String(title).replaceAll(' ', '\u00a0')),
  rendered('entities-missing', 'title.rendered', plus(' – A'), plus(' &#8211; A')),
  rendered(
    'shortcodes-left',
    'content.rendered',
    plus('<p>[gallery]</p>'),
    plus('<div class="gallery"></div>'),
  ),
  rendered('text-other', 'content.rendered', plus('<p>Read on.</p>')),
  rendered('titles-escaped-twice', 'title.rendered', plus(' &amp;#8211; A'), plus(' &#8211; A')),
  rendered('few-titles-escaped-twice', 'title.rendered', plusOnce(' &amp;#8211; A'), plusOnce(' &#8211; A')),
  rendered(
    'srcset-gone',
    'content.rendered',
    plus('<img src="a.png">'),
    plus('<img src="a.png" srcset="b.png 2x">'),
  ),
  // Texts that show all the same.
  rendered('protected-untrue', 'excerpt.protected', () => true),
  rendered('links-without-slash', 'link', (link) => link, plus('/')),
];
