/** Why the tests of this folder do not run here; undefined where they do. */
export const skip: string | false =
  process.env['REDRIVE_E2E'] === '1' ? false : 'no test bed: npm run test:e2e installs LocalStack and MiniStack and starts them'
