/** The page `docs/doctor.md`: all rules, written from the tables themselves. */
import type { Rule } from './rule.ts'
import { chapters } from './rules/all.ts'

export function reference(): string {
  return [
    '# What `redrive doctor` looks at',
    '',
    'Written from the rule tables in `src/stack/doctor/rules`; a test compares. The Serverless plugin asks the same rules when it packages.',
    '',
    '```sh',
    'npx redrive doctor                                 # the serverless.yml of this folder, packaged into a temporary folder',
    'npx redrive doctor --template template.json        # CloudFormation, JSON or YAML',
    'npx redrive doctor --stack shop-prod               # what is really deployed',
    'npx redrive doctor --function shop-prod-orders --endpoint http://127.0.0.1:4566',
    '```',
    '',
    '- **error**: messages or work get lost, or the consumer can not run. `redrive doctor` exits with 1.',
    '- **warning**: it goes well until a bad day. **advice**: it could be better. Both exit with 0.',
    '- **not checked**: a value that only the deployment knows (a parameter, an import, a queue of another stack), or a call that AWS',
    '  refused. That is no all-clear: `--stack` sees what a template can not.',
    '',
    'Every mapping from an SQS queue to a function is looked at as a redrive consumer. Deployed settings are compared with the',
    "consumer's own options (`maxAttempts`, `maxAge`, `deadLetterQueue`, `store`, `name`) where its handler can be imported, else with its",
    '`REDRIVE_*` environment.',
    '',
    '`--json` prints the findings for machines, `--sarif` as SARIF 2.1.0 for code scanning.',
    '',
    ...chapters.flatMap(({ title, rules }) => section(title, rules)),
    '## What `--stack`, `--function` and `--queue` ask AWS',
    '',
    'Nothing is changed. Of these calls each one that is refused makes the rules that need it "not checked":',
    '`cloudformation:ListStackResources`, `lambda:ListEventSourceMappings`, `lambda:GetEventSourceMapping`, `lambda:GetFunctionConfiguration`,',
    '`lambda:GetFunctionConcurrency`, `sqs:GetQueueUrl`, `sqs:GetQueueAttributes`, `dynamodb:DescribeTable`, `dynamodb:DescribeTimeToLive`,',
    '`cloudwatch:DescribeAlarms`, `iam:GetRole`, `iam:ListRolePolicies`, `iam:GetRolePolicy`, `iam:ListAttachedRolePolicies`, `iam:GetPolicy`,',
    '`iam:GetPolicyVersion`. Without the first two there is nothing to look at, and it exits with 2.',
    '',
  ].join('\n')
}

function section(title: string, rules: readonly Rule[]): string[] {
  return [
    `## ${title}`,
    '',
    '| rule | severity | looks at | otherwise | fix |',
    '| --- | --- | --- | --- | --- |',
    ...rules.map(row),
    '',
  ]
}

function row({ id, severity, looksAt, otherwise, fix, page }: Rule): string {
  return `| [\`${id}\`](${page}) | ${severity} | ${looksAt} | ${otherwise} | ${fix} |`
}
