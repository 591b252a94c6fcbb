import { describe, expect, it } from 'vitest';
import { UsageError } from '../../specs/validators.ts';
import { parseCommand } from './parse-command.ts';

describe('parseCommand', () => {
  it.each([
    ['6.5', '6.5.5'],
    ['6.5.5', '6.5.5'],
    ['6.6', '6.6-RC3'],
    ['6.1', '6.1.9'],
    ['7.1', '7.1.1'],
  ])('starts the version that %s names', (name, version) => {
    expect(parseCommand(['start', '--version', name])).toEqual({ name: 'start', version });
  });

  it('leaves everything after the first -- to the command, options and further -- included', () => {
    expect(parseCommand(['exec', '--', 'npm', 'start', '--', '--port', 'x', '{url}'])).toEqual({
      name: 'exec',
      version: '7.1.1',
      command: 'npm',
      args: ['start', '--', '--port', 'x', '{url}'],
    });
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
    [['start', '--port', '0'], 'a whole number from 1 to 65535'],
    [['start', '--port', '65536'], 'a whole number from 1 to 65535'],
    [['start', '--port', '8e3'], 'a whole number from 1 to 65535'],
    [['start', '--', 'ls'], 'too many arguments'],
    [['stop', '--version', 'debian'], '--version'],
    [['stop', '--fresh'], "unknown option '--fresh'"],
    [['start', '--theme', '../x'], 'the name of a theme'],
    [['start', '--plugin', 'none.php'], 'a PHP file that exists'],
    [['start', '--version', '6'], 'Expected one of'],
    [['stop', '--post-type', 'books'], '--post-type'],
    [['start', '--post-type', "b'ooks"], 'a short word'],
    [['exec'], "missing required argument 'command'"],
    [['exec', '--'], "missing required argument 'command'"],
  ])('refuses %j and says why', (argv, message) => {
    expect(() => parseCommand(argv)).toThrow(UsageError);
    expect(() => parseCommand(argv)).toThrow(message);
  });
});
