/**
 * Names of resources as a template gives them. What only the deployment fills in stands in angle brackets: `<region>`, `<account>`,
 * `<OrdersQueue>` for a name that CloudFormation makes up.
 */

/** Whether something holds, as far as one can tell. */
export type Maybe = 'yes' | 'no' | 'maybe'

const PLACES = 6

/** The name at the end of an ARN or URL, or the name itself. */
export const lastName = (text: string): string => /[^:/]*$/.exec(text)?.[0] ?? text

/** Whether two ARNs mean one queue. A pseudo parameter is this account, this region. */
export function sameArn(one: string, other: string): boolean {
  const [places, others] = [one.split(':'), other.split(':')]
  if (places.length < PLACES || others.length < PLACES) return lastName(one) === lastName(other)
  return places.every((place, index) => {
    const against = others[index] ?? ''
    return place === against || (index < PLACES - 1 && (isPseudo(place) || isPseudo(against)))
  })
}

/** Whether a pattern of a policy, such as `arn:aws:sqs:*:*:orders-*`, covers an ARN. */
export function covers(pattern: string, arn: string): Maybe {
  if (pattern === '*') return 'yes'
  const [places, against] = [inPlaces(pattern), inPlaces(arn)]
  if (places.length < PLACES) return globs(pattern, arn) ? 'yes' : 'no'
  const answers = places.map((place, index) =>
    index === PLACES - 1 ? coversName(place, against[index] ?? '') : coversPlace(place, against[index] ?? ''),
  )
  return answers.includes('no') ? 'no' : answers.includes('maybe') ? 'maybe' : 'yes'
}

function coversPlace(pattern: string, place: string): Maybe {
  return isPseudo(pattern) || isPseudo(place) || globs(pattern, place) ? 'yes' : 'no'
}

/** A name that CloudFormation makes up, or that holds what only the deployment knows, can't be compared with a pattern. */
function coversName(pattern: string, name: string): Maybe {
  if (pattern === name || /^\*+$/.test(pattern)) return 'yes'
  const open = /<\w/
  if (!open.test(pattern) && !open.test(name)) return globs(pattern, name) ? 'yes' : 'no'
  // Made-up names of two resources are two names.
  const madeUp = /^(table\/|function:|key\/)?<\w+>$/
  if (madeUp.test(pattern) && (madeUp.test(name) || !open.test(name))) return 'no'
  return 'maybe'
}

/** `*` is any text, `?` any one character, as in IAM. */
export function globs(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split(/\*+/)
  if (rest.length === 0) return pattern.length === text.length && startsWith(text, first, 0)
  if (!startsWith(text, first, 0)) return false
  let at = first.length
  const last = rest.pop() as string
  for (const part of rest) {
    while (at <= text.length - part.length && !startsWith(text, part, at)) at++
    if (at > text.length - part.length) return false
    at += part.length
  }
  return text.length - last.length >= at && startsWith(text, last, text.length - last.length)
}

function startsWith(text: string, part: string, at: number): boolean {
  return part.length <= text.length - at && [...part].every((letter, index) => letter === '?' || text[at + index] === letter)
}

const isPseudo = (place: string): boolean => /^<(partition|region|account)>$/.test(place)

function inPlaces(arn: string): string[] {
  const places = arn.split(':')
  return places.length <= PLACES ? places : [...places.slice(0, PLACES - 1), places.slice(PLACES - 1).join(':')]
}
