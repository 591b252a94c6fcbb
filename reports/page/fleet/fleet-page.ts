import type { Fleet, FleetTarget } from '../../../compare/fleet.ts';
import { areaOf } from '../../../engine/area-of.ts';
import { partialFleet } from '../../fleet/partial.ts';
import { formatDuration, plural } from '../../text.ts';
import { renderPage } from '../document.ts';
import { frame } from '../frame.ts';
import { cut, html, type Markup, type Part } from '../markup.ts';
import { count, facts, folded, instant, SIGNS, scrolled, section, sign } from '../parts.ts';
import { search } from '../search.ts';

const MOST_TARGETS = 3000;
const MOST_CHECKS = 500;
const MOST_AREAS = 40;
const MOST_NAMES = 20;

const STATES = { conformant: 'pass', nonconformant: 'fail', inconclusive: 'inconclusive' } as const;
const WORDS = {
  conformant: 'conformant',
  nonconformant: 'not conformant',
  inconclusive: 'not concluded',
} as const;

/** The page of a fleet, `fleet.html`: which sites are ill, with what, and which are worse than before. */
export function renderFleetPage(fleet: Fleet): string {
  const { conclusion, counts, targets, checks, notes, run, reason } = fleet;
  const partial = partialFleet(fleet);
  const heading = `${headingOf(fleet)}${partial === undefined ? '' : ' (PARTIAL)'}`;
  const shown = targets.slice(0, MOST_TARGETS);
  return renderPage({
    title: heading,
    body: frame({
      heading,
      state: STATES[conclusion],
      head: [
        html`<p class="reason">${cut(reason, 1500)}.</p>`,
        partial === undefined ? undefined : html`<p class="partial">${partial}.</p>`,
        tally(fleet),
        facts([
          ['Begun', instant(run.started)],
          [
            'Took',
            `${formatDuration(run.seconds)}, ${plural(run.requests, 'request')}, ${run.parallel} at once`,
          ],
          ['Part', fleet.shard === undefined ? undefined : `${fleet.shard.index} of ${fleet.shard.of}`],
          ['Made of', fleet.parts === undefined ? undefined : plural(fleet.parts, 'part')],
          ['Ended early', run.ended === undefined ? undefined : cut(run.ended, 300)],
        ]),
      ],
      ways: [
        ...(counts.compared > 0 ? [['worse', 'Worse than before', String(counts.worse)] as const] : []),
        ...(checks.length > 0
          ? ([
              ['causes', 'What fails', String(checks.length)],
              ['map', 'Sites and areas'],
            ] as const)
          : []),
        ['sites', 'All sites', String(targets.length)],
        ...(fleet.software.length > 0
          ? [['software', 'Namespaces', String(fleet.software.length)] as const]
          : []),
      ],
      search: search(
        'sites',
        [
          {
            name: 'state',
            label: 'Conclusion',
            values: (['nonconformant', 'inconclusive', 'conformant'] as const).map(
              (one) => [STATES[one], WORDS[one]] as const,
            ),
          },
        ],
        'words of a name or an address',
      ),
      content: [
        notes.length === 0
          ? undefined
          : section(
              'notes',
              'To know first',
              html`<ul>${notes.slice(0, 100).map((note) => html`<li>${cut(note)}</li>`)}</ul>`,
            ),
        worse(targets),
        causes(fleet),
        map(shown),
        section('sites', 'All sites', html`<ul class="rows">${shown.map(row)}</ul>`),
        software(fleet),
      ],
      foot: html`<span>fleet.json beside this page has everything that stands here; each site has a page of its own in its folder.</span>`,
    }),
  });
}

function headingOf({ counts: { targets, nonconformant, inconclusive } }: Fleet): string {
  const sites = plural(targets, 'site');
  if (nonconformant > 0) return `${count(nonconformant)} of ${sites} not conformant`;
  return inconclusive > 0 ? `${count(inconclusive)} of ${sites} not concluded` : `All of ${sites} conformant`;
}

function tally({ counts }: Fleet): Markup {
  const rows = (['nonconformant', 'inconclusive', 'conformant'] as const).filter((one) => counts[one] > 0);
  return html`<ul class="tally">${rows.map((one) => html`<li class=${STATES[one]}><b>${count(counts[one])}</b> <span aria-hidden="true">${SIGNS[STATES[one]]}</span> ${WORDS[one]}</li>`)}</ul>`;
}

/** The way to the page of a site: within the folder of the fleet, whatever its name is. */
function pageOf({ folder }: FleetTarget): string {
  const parts = folder
    .toWellFormed()
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  return `./${[...parts, 'report.html'].map(encodeURIComponent).join('/')}`;
}

function siteLink(target: FleetTarget): Markup {
  return html`<a href=${pageOf(target)}>${cut(target.name, 120)}</a>`;
}

function worse(targets: readonly FleetTarget[]): Part {
  const own = targets.filter(({ baseline }) => (baseline?.new ?? 0) > 0);
  if (own.length === 0) return undefined;
  return section(
    'worse',
    `${plural(own.length, 'site')} worse than before`,
    html`<ul class="named">${own.slice(0, MOST_TARGETS).map((target) => html`<li>${siteLink(target)}: ${plural(target.baseline?.new ?? 0, 'new failure')} <code class="quiet">${cut((target.baseline?.worst ?? []).slice(0, 3).join(', '), 300)}</code></li>`)}</ul>`,
  );
}

function causes({ checks, targets }: Fleet): Part {
  if (checks.length === 0) return undefined;
  const byName = new Map(targets.map((target) => [target.name, target]));
  const rest = checks.length - MOST_CHECKS;
  return section(
    'causes',
    'What fails, on how many sites',
    checks.slice(0, MOST_CHECKS).map(({ id, title, fail, waived, new: fresh, targets: names }) =>
      folded(
        html`<span>${sign(fail > 0 ? 'fail' : 'waived')}<b>Fails on ${plural(fail, 'site')}</b>${waived > 0 ? `, waived on ${waived}` : ''}${fresh > 0 ? html` <span class="badge new">new on ${fresh}</span>` : undefined}: ${cut(title, 200)} <code class="quiet">${cut(id, 200)}</code></span>`,
        html`<ul class="named">${names.slice(0, MOST_NAMES).map((name) => {
          const target = byName.get(name);
          return html`<li>${target === undefined ? cut(name, 120) : siteLink(target)}</li>`;
        })}${fail + waived > names.length ? html`<li class="quiet">and ${fail + waived - names.length} more</li>` : undefined}</ul>`,
      ),
    ),
    rest > 0 ? html`<p class="quiet">and ${plural(rest, 'further check')} in fleet.json</p>` : undefined,
  );
}

/** Sites × areas: how many checks of an area fail on a site. What fails nowhere has no column. */
function map(targets: readonly FleetTarget[]): Part {
  const failing = targets.flatMap(({ failing: ids }) => ids.map(areaOf));
  const areas = [...Map.groupBy(failing, (area) => area)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, MOST_AREAS)
    .map(([area]) => area);
  if (areas.length === 0) return undefined;
  const ill = targets.filter(({ failing: ids, conclusion }) => ids.length > 0 || conclusion !== 'conformant');
  return section(
    'map',
    'Sites and areas',
    html`<p class="legend">A row for each site that is not conformant, a column for each area with failures; a number counts the failures that are listed for the site.</p>`,
    scrolled(
      'Sites and areas',
      html`<table class="map">
        <thead><tr><th scope="col">site</th>${areas.map((area) => html`<th scope="col">${cut(area, 60)}</th>`)}</tr></thead>
        <tbody>${ill.map((target) => html`<tr><th scope="row">${siteLink(target)}</th>${areas.map((area) => cell(target, area))}</tr>`)}</tbody>
      </table>`,
    ),
  );
}

function cell(target: FleetTarget, area: string): Markup {
  const number = target.failing.filter((id) => areaOf(id) === area).length;
  if (number > 0) return html`<td class="fail"><a href=${pageOf(target)}>${SIGNS.fail}${number}</a></td>`;
  if (target.conclusion === 'inconclusive') {
    return html`<td class="inconclusive"><span>${SIGNS.inconclusive}</span></td>`;
  }
  // Of a site with very many failures only the first are listed: what is not may still be there.
  return html`<td class="quiet">${target.counts.fail > target.failing.length ? '…' : 0}</td>`;
}

function row(target: FleetTarget): Markup {
  const { url, conclusion, reason, counts, baseline } = target;
  const fresh =
    (baseline?.new ?? 0) > 0 ? html` <span class="badge new">${baseline?.new} new</span>` : undefined;
  return html`<li class=${STATES[conclusion]}><b>${siteLink(target)}</b>${fresh} ${count(counts.fail)} failed, ${count(counts.pass)} passed <code class="quiet">${cut(url, 120)}</code> <em>${conclusion === 'inconclusive' ? cut(reason, 200) : ''}</em></li>`;
}

function software({ software: namespaces }: Fleet): Part {
  if (namespaces.length === 0) return undefined;
  return section(
    'software',
    'Namespaces that sites serve',
    namespaces
      .slice(0, MOST_CHECKS)
      .map(({ namespace, count: number, targets }) =>
        folded(
          html`<span><code>${cut(namespace, 200)}</code> <span class="quiet">${plural(number, 'site')}</span></span>`,
          html`<p>${cut(targets.slice(0, MOST_NAMES).join(', '), 1000)}</p>`,
        ),
      ),
  );
}
