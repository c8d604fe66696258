import { aws } from './aws.ts'
import type { Family } from './family.ts'
import { http, httpAnswer, httpServer } from './http.ts'
import { language, runtime } from './language.ts'
import { names, network } from './network.ts'
import { validation, validationName } from './validation.ts'

/** All families, in the order in which they are asked about an error; the strength of what they say comes before that order. */
export const families: readonly Family[] = [
  aws,
  network,
  http,
  runtime,
  validation,
  httpServer,
  names,
  validationName,
  httpAnswer,
  language,
]
