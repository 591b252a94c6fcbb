import type { RunResult } from '../../engine/result.ts';
import type { CertificatePlan, CertificateSubject } from './documents.ts';
import { HINTS } from './documents.ts';

/**
 * What `REPEAT.md` holds: how to check the certificate, and how to make the same run again.
 * @param as who the run asked as
 */
export function repeatText(
  subject: CertificateSubject,
  plan: CertificatePlan,
  as: RunResult['target']['as'],
): string {
  const { contract, level, tool } = subject;
  const isUser = as !== 'anonymous';
  const headers = plan.headers?.map((name) => ` --header '${name}: …'`).join('') ?? '';
  const target = `--target URL${isUser ? ' --user NAME' : ''}${headers}`;
  const confirm = plan.mode === 'read' ? '' : ' --confirm-host HOST';
  return `# How to check and to repeat this certificate

It is about ${JSON.stringify(subject.implementation)}: level ${level} of contract ${contract.release}, deployment ${contract.deployment}, in the words of
vocabulary ${contract.vocabulary}. ${tool} made it with run ${subject.run}.

Without the site, that nothing in this folder has changed and that it adds up:

\`\`\`
site-conformance verify --public-key KEY.pem FOLDER
\`\`\`

The key of the author comes from the author, not out of this folder. Any verifier of DSSE envelopes reads
\`certificate.json\` as well.

With a site that runs the implementation, the same plan with the same seed${isUser ? '; the password of the user is expected in the environment\nvariable SITE_CONFORMANCE_PASSWORD' : ''}:

\`\`\`
site-conformance verify ${target}${confirm} FOLDER
\`\`\`

| what | value |
| --- | --- |
| mode | ${plan.mode} |
| seed | ${plan.seed} |
| sets of arguments of fuzz checks | ${plan.examples} |
| asked as | ${as ?? 'not noted'} |
| strict | ${plan.strict ? 'yes' : 'no'} |
| records that the run makes for its checks (\`--stage\`) | ${plan.stage ?? 'not noted'} |
| requests under way at once, seconds for one exchange | ${plan.concurrency ?? 'not noted'}, ${plan.timeout ?? 'not noted'} |
| requests a second, seconds for the whole run | ${plan.rate ?? 'no bound'}, ${plan.budget ?? 'no bound'} |
| headers of every request, without their values | ${plan.headers?.map((name) => JSON.stringify(name)).join(', ') || 'none'} |
| hints of the owner | ${plan.hints ?? 'none'} |
| required checks | ${plan.required.length} |
${plan.hints === undefined ? '' : `\nThe file \`${HINTS}\` is used by itself; variables that it names are expected in the environment.\n`}`;
}
