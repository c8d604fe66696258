import { family } from './family.ts'

/** Errors without any code, by their text: of pools and connections mostly. */
export const texts = family('text', ({ message }) => [message], {
  timeout: /\b(timed|timing) out\b|^timeout |^[\w ]+ timeout( |$)|^stream has been aborted|\bETIMEDOUT\b/i,
  connection:
    /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|socket hang up)\b|^(Connection (terminated|is closed|lost|closed|ended|error)|Client (has encountered a connection|was closed)|Cannot use a pool after|Socket closed|Can't add new command|Pool is closed|Channel clos|Stream isn't writeable|The client is closed|Topology is closed)/i,
  exhausted: /^(Queue limit reached|No connections available|Bulkhead|Too many connections|sorry, too many clients)/,
  unavailable: /^(Execution prevented because|Breaker is open|InvalidChecksumError|All sentinels are unreachable)/,
  conflict: /^One \(or more\) of the watched keys/,
  misconfigured: /^(redirect count exceeded|maximum redirect|Max redirects|Region is missing|Missing (region|credentials))/i,
  invalid:
    /^(bad port|unknown scheme|max(Content|Body)Length|Request body larger|Invalid value .* supplied to|Undefined binding)/,
})
