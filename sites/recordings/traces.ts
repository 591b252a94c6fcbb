/** What tells about the machine, the people and the secrets of a recorded site: addresses, folders, mail, credentials, nonces. */
export const TRACES: RegExp =
  /(?:\d{1,3}\.){3}\d{1,3}|localhost|"\/(?:tmp|var|home|usr|root)\/|[\w.-]+@[\w-]+\.\w+|Basic |nonce"/;
