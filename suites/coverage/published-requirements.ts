import { checkId } from '../../engine/check-id.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import type { Requirement } from '../../specs/texts.ts';

const ABOUT = { section: 'published', basis: 'published' } as const;

/** What a site publishes of itself beyond what files state, as requirements: it is the whole, and its records are as published. */
export function publishedRequirements({ operations, namespaces }: Contract): Requirement[] {
  return [
    ...namespaces
      .filter(({ basis }) => basis === 'published')
      .map(({ name, wire }): Requirement => {
        const checks = ['served', 'root', 'enforced'].map((aspect) => checkId('namespaces', name, aspect));
        return {
          ...ABOUT,
          id: checkId('namespaces', name),
          statement: `${wire} is served and enforced.`,
          checks,
        };
      }),
    ...operations.filter(({ basis }) => basis === 'published').flatMap(ofOperation),
  ];
}

function ofOperation({ id, answer, effect, role, batchable }: Operation): Requirement[] {
  const more = checkId(id, 'method', 'asks-no-more');
  const requirements: Requirement[] = [
    { ...ABOUT, id: more, statement: `${id} asks no more of its callers than it did.`, checks: [more] },
    {
      ...ABOUT,
      id: checkId(id, 'behaviour'),
      statement: `${id} ${batchable ? 'is' : 'is not'} for batches, and answers without a server error.`,
      checks: ['batch-mark', 'answers', 'fuzz', 'form', 'own-record'].map((aspect) => checkId(id, aspect)),
    },
  ];
  if (answer !== undefined && effect === 'reads') {
    const statement = `The records of ${id} are as the site publishes them (${answer.name}).`;
    requirements.push({ ...ABOUT, id: checkId('records', id), statement, checks: [checkId('records', id)] });
  }
  if (role === 'list') {
    const statement = `${id} holds its records on pages, each once.`;
    requirements.push({ ...ABOUT, id: checkId(id, 'lists'), statement, checks: [`${id}/*/filters/**`] });
  }
  return requirements;
}
