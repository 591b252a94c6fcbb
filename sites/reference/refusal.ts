import type { JsonObject } from './json.ts';

/** Thrown by whatever refuses a request; the server answers it in the error shape of real software. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: JsonObject;

  /**
   * @param code machine word such as `rest_no_route`
   * @param message a sentence for people
   * @param status HTTP status
   * @param details further members of `data`
   */
  constructor(code: string, message: string, status: number, details: JsonObject = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** The body of the answer. */
  get body(): JsonObject {
    return { code: this.code, message: this.message, data: { status: this.status, ...this.details } };
  }
}
