/** Settings of the AWS SDK's clients for a bed. */
export const settingsFor = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
})
