import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand } from './parse-command.ts';
import { UserError } from './site-context.ts';

describe('parseCommand', () => {
  it('starts the newest version on any free port by default', () => {
    expect(parseCommand(['start'])).toEqual({ name: 'start', version: '7.1.1' });
  });

  it('takes version, port and state file', () => {
    expect(parseCommand(['start', '--version', 'debian', '--port=8080', '--state', 'a.json'])).toEqual({
      name: 'start',
      version: 'debian',
      port: 8080,
      state: 'a.json',
    });
  });

  it.each([
    ['6.5', '6.5.5'],
    ['6.5.5', '6.5.5'],
    ['6.6', '6.6-RC3'],
    ['6.1', '6.1.9'],
    ['7.1', '7.1.1'],
  ])('starts the version that %s names', (name, version) => {
    expect(parseCommand(['start', '--version', name])).toEqual({ name: 'start', version });
  });

  it('lists the versions', () => {
    expect(parseCommand(['--list'])).toEqual({ name: 'list' });
  });

  it('takes one theme for every version, by its name', () => {
    const theme = 'twentytwentythree';

    expect(parseCommand(['start', '--theme', theme])).toEqual({ name: 'start', version: '7.1.1', theme });
    expect(() => parseCommand(['start', '--theme', '../x'])).toThrow('the name of a theme');
  });

  it('takes a site without content of our own', () => {
    expect(parseCommand(['start', '--fresh'])).toEqual({ name: 'start', version: '7.1.1', fresh: true });
    expect(() => parseCommand(['stop', '--fresh'])).toThrow("unknown option '--fresh'");
  });

  it('takes one more post type by the word in its route', () => {
    expect(parseCommand(['start', '--post-type', 'books'])).toEqual({
      name: 'start',
      version: '7.1.1',
      postType: { name: 'book', restBase: 'books' },
    });
  });

  it('takes a plugin that is there, and no other', () => {
    const plugin = join(import.meta.dirname, 'orders-plugin.php');

    expect(parseCommand(['start', '--plugin', plugin])).toEqual({ name: 'start', version: '7.1.1', plugin });
    expect(() => parseCommand(['start', '--plugin', 'none.php'])).toThrow('a PHP file that exists');
  });

  it('leaves everything after the first -- to the command, options and further -- included', () => {
    expect(parseCommand(['exec', '--', 'npm', 'start', '--', '--port', 'x', '{url}'])).toEqual({
      name: 'exec',
      version: '7.1.1',
      command: 'npm',
      args: ['start', '--', '--port', 'x', '{url}'],
    });
  });

  it('stops with or without a state file', () => {
    expect(parseCommand(['stop'])).toEqual({ name: 'stop' });
    expect(parseCommand(['stop', '--state', 'b.json'])).toEqual({ name: 'stop', state: 'b.json' });
  });

  it('answers with help when nothing is asked, or help is', () => {
    expect(parseCommand([])).toMatchObject({ name: 'help' });
    expect(parseCommand(['start', '--help'])).toMatchObject({ name: 'help' });
  });

  it.each([
    [['restart'], "unknown command 'restart'"],
    [['start', 'stop'], 'too many arguments'],
    [['start', '--versoin', 'debian'], '--versoin'],
    [['start', '--version', '5.0'], 'Expected one of 6.1.9, 6.2.6, '],
    [['start', '--port', '0'], 'a number from 1 to 65535'],
    [['start', '--port', '65536'], 'a number from 1 to 65535'],
    [['start', '--port', '8e3'], 'a number from 1 to 65535'],
    [['start', '--', 'ls'], 'too many arguments'],
    [['stop', '--version', 'debian'], '--version'],
    [['start', '--version', '6'], 'Expected one of'],
    [['stop', '--post-type', 'books'], '--post-type'],
    [['start', '--post-type', "b'ooks"], 'a short word'],
    [['exec'], "missing required argument 'command'"],
    [['exec', '--'], "missing required argument 'command'"],
  ])('refuses %j and says why', (argv, message) => {
    expect(() => parseCommand(argv)).toThrow(UserError);
    expect(() => parseCommand(argv)).toThrow(message);
  });
});
