import { family } from './family.ts'

/** Cassandra and Scylla: the codes of the protocol, which begin at 0x1000. */
export const cassandra = family('cassandra', ({ name, code }) => [name === 'ResponseError' ? code : undefined], {
  unavailable: '4096 4097 4098 4099 4352 4608 4864 5376 9472',
  denied: '256 8448',
  misconfigured: '8960',
  exists: '9216',
  invalid: '8192 8704',
})
