import { covers, globs, type Maybe } from './arn.ts'
import type { RoleFacts, StatementFacts } from './facts.ts'
import { type Known, notSeen, seen } from './known.ts'

/** Whether a role may do something with a resource, as far as its statements can be seen. */
export function may({ statements }: RoleFacts, action: string, resource: string): Known<boolean> {
  const denied = statements.found.filter(({ effect }) => effect === 'Deny').map((one) => applies(one, action, resource))
  if (denied.includes('yes')) return seen(false)
  const allowed = statements.found.filter(({ effect }) => effect === 'Allow').map((one) => applies(one, action, resource))
  const [unseen] = statements.maybeMore
  if (allowed.includes('yes')) {
    return denied.includes('maybe') ? notSeen(`a Deny may take ${action} away`) : seen(true)
  }
  if (allowed.includes('maybe'))
    return notSeen(`a statement may allow ${action}, under a condition or for a name that only the deployment knows`)
  return unseen === undefined ? seen(false) : notSeen(unseen)
}

/** The actions among those that the role lacks; not seen if that can't be told of one. */
export function missing(role: RoleFacts, actions: readonly string[], resource: string): Known<readonly string[]> {
  const answers = actions.map((action) => ({ action, answer: may(role, action, resource) }))
  const lacking = answers.filter(({ answer }) => answer.is === 'seen' && !answer.value).map(({ action }) => action)
  const open = answers.map(({ answer }) => answer).find((answer) => answer.is === 'not seen')
  // One that is lacking for sure is worth saying, whatever else can't be seen.
  return lacking.length > 0 || open === undefined ? seen(lacking) : open
}

function applies({ actions, resources, conditional }: StatementFacts, action: string, resource: string): Maybe {
  const ofActions = actions.is === 'not seen' ? 'maybe' : some(actions.value.map((one) => globsAction(one, action)))
  const ofResources =
    resources.is === 'not seen'
      ? 'maybe'
      : some(resources.value.map((one) => (one.is === 'not seen' ? 'maybe' : covers(one.value, resource))))
  if (ofActions === 'no' || ofResources === 'no') return 'no'
  return ofActions === 'maybe' || ofResources === 'maybe' || conditional ? 'maybe' : 'yes'
}

const globsAction = (pattern: string, action: string): Maybe =>
  globs(pattern.toLowerCase(), action.toLowerCase()) ? 'yes' : 'no'

const some = (answers: readonly Maybe[]): Maybe => (answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no')
