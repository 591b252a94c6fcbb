import { expect, it } from 'vitest';

it('tests see no setting, password or colour of the shell that starts them', () => {
  const names = Object.keys(process.env).filter((name) =>
    /^(?:SITE_CONFORMANCE_(?!WHOLE$)|NO_COLOR$)/.test(name),
  );
  expect(names).toEqual([]);
});
