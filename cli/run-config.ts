import type { RunMode } from '../client/mode.ts';
import type { Profile } from '../engine/fuzz-options.ts';
import type { FailOn } from '../engine/result.ts';
import type { StageMode } from '../engine/run-options.ts';

/** The settings of a run, by the names that the command line and the configuration file share. All optional. */
export interface Settings {
  readonly target?: string;
  readonly deployment?: string;
  readonly vocabulary?: string;
  readonly mode?: RunMode;
  readonly confirmHost?: string;
  readonly user?: string;
  /** The environment variable that holds the password; of a configuration file only. */
  readonly passwordFrom?: string;
  readonly header?: readonly string[];
  readonly insecure?: boolean;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly concurrency?: number;
  readonly rate?: number;
  readonly timeout?: number;
  readonly seed?: number;
  readonly examples?: number;
  readonly profile?: Profile;
  readonly examplesFile?: string;
  readonly stage?: StageMode;
  readonly budget?: number;
  readonly baseline?: string;
  readonly waivers?: string | readonly string[];
  readonly software?: string;
  readonly failOn?: readonly FailOn[];
  readonly strict?: boolean;
  readonly allure?: boolean;
  readonly har?: boolean | string;
  readonly reporter?: readonly string[];
  /** Prints the result; of a command line only. */
  readonly json?: boolean;
  readonly hints?: string;
  /** Paths of modules with checks of one's own. */
  readonly checks?: readonly string[];
  readonly out?: string;
}

/** A configuration file: settings for every run, and named targets with their own (`config.schema.json`). */
export interface ConfigFile extends Settings {
  readonly $schema?: string;
  readonly targets?: Readonly<Record<string, Settings & { readonly url: string }>>;
}
