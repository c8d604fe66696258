/** `redrive doctor`: what is wrong with consumers as they are, or will be, deployed. */
import { readFileSync } from 'node:fs'
import { NotReached } from '../aws/describe-stack-ask.ts'
import { sarif } from '../stack/doctor/sarif.ts'
import { type Diagnosis, examine } from '../stack/doctor.ts'
import { type Command, type OptionValues, optional, type Terminal, UsageError } from './command.ts'
import { handlerOptions } from './doctor-handlers.ts'
import { report } from './doctor-report.ts'
import { type Source, sourceOf } from './doctor-source.ts'

const help = `redrive doctor: names each misconfiguration of SQS consumers, what happens because of it, and how to put it right.

Usage: redrive doctor [--serverless FILE | --template FILE | --stack NAME | --function NAME | --queue NAME] [options]

  --serverless FILE      a service of the Serverless Framework, packaged into a temporary folder (default: ./serverless.yml)
  --stage NAME           the stage to package (default: the service's own)
  --template FILE        a CloudFormation template, JSON or YAML
  --stack NAME           a stack as it is deployed now
  --function NAME        the consumers of one function as it is deployed now
  --queue NAME           the consumers of one queue (name, URL or ARN) as they are deployed now
  --endpoint URL         LocalStack or another emulator
  --region NAME          the region (default AWS_REGION)
  --handler FILE#EXPORT  the consumer's code, to compare with its own options; in a service it is found by itself
  --json                 the findings as JSON
  --sarif                the findings as SARIF 2.1.0, for code scanning

What can't be seen is said as "not checked"; it is no all-clear.
All rules: docs/doctor.md

Examples:
  redrive doctor
  redrive doctor --template .serverless/cloudformation-template-update-stack.json --sarif > doctor.sarif
  redrive doctor --stack shop-prod --region eu-central-1
  redrive doctor --function shop-dev-orders --endpoint http://127.0.0.1:4566

Exit codes: 0 no errors; 1 errors found; 2 not done.`

/** The command `redrive doctor`. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'name what is wrong with a service, a template or a live stack, and how to put it right',
  help,
  options: {
    serverless: { type: 'string' },
    stage: { type: 'string' },
    template: { type: 'string' },
    stack: { type: 'string' },
    function: { type: 'string' },
    queue: { type: 'string' },
    endpoint: { type: 'string' },
    region: { type: 'string' },
    handler: { type: 'string' },
    json: { type: 'boolean' },
    sarif: { type: 'boolean' },
  },
  run,
}

async function run(values: OptionValues, terminal: Terminal): Promise<number> {
  if (values['json'] === true && values['sarif'] === true) throw new UsageError('--json and --sarif exclude each other.')
  try {
    const source = await sourceOf(values, terminal)
    const optionsOf = await handlerOptions(source, optional(values, 'handler'), terminal)
    const diagnosis = examine(source.template, { optionsOf })
    if (diagnosis.consumers.length === 0 && diagnosis.findings.length === 0) {
      terminal.error(
        `redrive doctor: ${source.name} has no mapping from an SQS queue to a function: there is nothing to look at.`,
      )
      return 2
    }
    terminal.out(written(diagnosis, source, values))
    return diagnosis.findings.some(({ severity }) => severity === 'error') ? 1 : 0
  } catch (error) {
    if (!(error instanceof NotReached)) throw error
    terminal.error(`redrive doctor: ${error.message}`)
    return 2
  }
}

function written(diagnosis: Diagnosis, source: Source, values: OptionValues): string {
  const { consumers, findings } = diagnosis
  if (values['json'] === true) return JSON.stringify({ source: source.name, consumers, findings }, undefined, 2)
  if (values['sarif'] !== true) return report(diagnosis, source.name)
  return JSON.stringify(sarif(findings, { version: version(), file: source.file, lineOf: source.lineOf }), undefined, 2)
}

function version(): string {
  const packageFile = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version
}
