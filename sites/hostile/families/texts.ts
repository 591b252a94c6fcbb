import {
  type Description,
  FAILS,
  FAILS_SOMEHOW,
  family,
  type HostileServer,
  INDEX_CHECKS,
} from '../hostile-server.ts';
import { beyondIndex, turningIndex, withParameter, withRoutes } from '../turns.ts';

/** A site that says a text wherever it ends up in reports, on a terminal and in the log of a CI service. */
function says(what: string, text: string): Description {
  return {
    title: `the index says ${what} wherever there is room`,
    expected: FAILS,
    handler: turningIndex((index) => {
      const namespaces = Array.isArray(index.namespaces) ? index.namespaces : [];
      const told = { ...index, name: { [text]: text }, url: text, namespaces: [...namespaces, text] };
      const routed = withRoutes(told, (routes) => ({ ...routes, [`/${text}`]: routes['/cms/v2/posts'] }));
      const typed = withParameter(routed, 'per_page', { type: text, default: text, description: text });
      return withParameter(withParameter(typed, 'order', { enum: [text] }), text, { type: 'string' });
    }),
  };
}

/** Servers whose texts would do something where they are shown. */
export const TEXTS: readonly HostileServer[] = family(
  'texts',
  {
    'escape-sequences': says('escape sequences', '\u001b[2J\u001b[31mred\u001b]0;title\u0007\u001b[8m'),
    hyperlinks: says('a link for terminals', '\u001b]8;;http://evil.invalid/\u001b\\click\u001b]8;;\u001b\\'),
    'c1-controls': says('control characters of eight bits', '\u009b31m\u009d0;title\u009c\u0085'),
    'carriage-returns': says('carriage returns and backspaces', 'FAIL\rPASS\b\b\b\b'),
    'workflow-commands': says(
      'commands of one CI service',
      '\n::error::x\n::set-output name=a::b\n::add-mask::a',
    ),
    'old-workflow-commands': says(
      'commands of one CI service as of old',
      '##[error]x ##[group]y\n##[set-env]a',
    ),
    'pipeline-commands': says('commands of another CI service', '\n##vso[task.setvariable variable=PATH]x'),
    'invalid-in-xml': says(
      'characters that XML does not have',
      'a\u0001\u0008\u000b\u000c\u001f\ufffe\uffffb',
    ),
    'ends-of-cdata': says('the end of a CDATA section', ']]><failure/>]]]]>'),
    entities: says('entities', '&x;&#0;&#x1F;<!ENTITY x SYSTEM "file:///etc/hostname">'),
    scripts: says('scripts', '</script></title><script>alert(1)</script><img src=x onerror=alert(1)>'),
    directions: says('changes of direction', '\u202egnp.exe\u2066\u2067abc\u2069\u200f'),
    'line-separators': says('line separators', 'one\u2028two\u2029three\u0085four'),
    'long-lines': says('a line of 1 MB', 'x'.repeat(1_000_000)),
    'many-lines': says('100,000 lines', 'x\n'.repeat(100_000)),
    formulas: says('formulas of spreadsheets', '=cmd|"/c calc"!A1'),
    'wide-characters': says('piles of accents and joined emoji', `${'e\u0301'.repeat(2000)}👩‍👩‍👧‍👦`),
    markdown: says('Markdown', '`` ` ``[a](javascript:alert(1))<details>|x|\n|-|\n![](http://evil.invalid)'),
    templates: says('placeholders', '$&{{7*7}}%s%d%n$(id)`id`\\'),
    'shell-in-routes': says('what a shell would run', `'; rm -rf "$HOME" #$(id)\`id\``),
    'in-error-bodies': {
      only: [],
      title: 'everything but the index answers 500 with commands for terminals and CI services',
      expected: FAILS_SOMEHOW,
      handler: beyondIndex((exchange) =>
        exchange.json('\n::error::x\n##vso[task.complete result=Failed]\u001b[2J\u202e\u2028##[error]x', 500),
      ),
    },
  },
  { only: INDEX_CHECKS },
);
