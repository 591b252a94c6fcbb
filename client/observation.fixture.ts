import type { Observation } from './observation.ts';

/** A GET that was accepted with an empty list. */
export const ACCEPTED: Observation = {
  method: 'GET',
  url: '',
  status: 200,
  answer: 'accepted',
  headers: {},
  json: [],
  bytes: 0,
  text: '',
  seconds: 0,
  curl: 'curl',
};
