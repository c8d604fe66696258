/** The three calls of Lambda's poller, by a role of the same policies that a test may take on. */
import { randomUUID } from 'node:crypto'
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam'
import { DeleteMessageCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts'
import { settingsFor } from './clients.ts'
import { documentOf, type Policy } from './role.ts'

/** Polls once; gives the actions that were refused. */
export async function pollAs(
  endpoint: string,
  QueueUrl: string,
  policies: readonly Policy[],
  without?: string,
): Promise<string[]> {
  const sqs = new SQSClient({ ...settingsFor(endpoint), credentials: await credentialsFor(endpoint, policies, without) })
  const calls = {
    // No second of waiting: a message that belongs to another test is not to be caught.
    'sqs:ReceiveMessage': () => sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 })),
    'sqs:DeleteMessage': () => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'none' })),
    'sqs:GetQueueAttributes': () => sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] })),
  }
  const refused: string[] = []
  for (const [action, call] of Object.entries(calls)) {
    await (call() as Promise<unknown>).catch((error: Error) => {
      if (/AccessDenied|not authorized/.test(`${error.name} ${error.message}`)) refused.push(action)
    })
  }
  return refused
}

async function credentialsFor(endpoint: string, policies: readonly Policy[], without?: string) {
  const iam = new IAMClient(settingsFor(endpoint))
  const RoleName = `poller-${randomUUID()}`
  const trust = { Effect: 'Allow', Principal: { AWS: '*' }, Action: 'sts:AssumeRole' }
  const { Role } = await iam.send(
    new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [trust] }) }),
  )
  for (const { name, statements } of policies) {
    await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: name, PolicyDocument: documentOf(statements, without) }))
  }
  const sts = new STSClient(settingsFor(endpoint))
  const { Credentials } = await sts.send(new AssumeRoleCommand({ RoleArn: Role?.Arn, RoleSessionName: 'poller' }))
  return {
    accessKeyId: Credentials!.AccessKeyId!,
    secretAccessKey: Credentials!.SecretAccessKey!,
    sessionToken: Credentials!.SessionToken!,
  }
}
