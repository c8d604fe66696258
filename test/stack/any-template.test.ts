import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parse } from 'yaml'
import type { Resource, Template } from '../../src/stack/options.ts'
import { templateFor } from '../../src/stack/template.ts'
import { yamlOf } from '../../src/stack/yaml.ts'
import { deployed } from './deployed.ts'
import { anyService } from './random-options.ts'

// The longest that region and account make of the texts.
const REGION = 'ap-southeast-99'

/** A template as deployed, with what it imports from elsewhere. */
function plain(template: Template): Template {
  const text = JSON.stringify(template).replaceAll(/\{"Fn::ImportValue":"(\w+?)(Fifo)?"\}/g, (_, name: string, fifo?: string) =>
    JSON.stringify(`arn:aws:sqs:${REGION}:111122223333:${name}${fifo === undefined ? '' : '.fifo'}`),
  )
  const given = JSON.parse(text) as Template
  return deployed(given, given.Resources, REGION)
}

const resourcesOf = (template: Template, type: string): Resource[] =>
  Object.values(template.Resources).filter(({ Type }) => Type === type)

describe('whatever the options are', () => {
  it('nothing in the template dangles, and every name and text stays within AWS’s limits', () => {
    fc.assert(
      fc.property(anyService, ({ service, consumers }) => {
        const template = plain(templateFor(service, consumers))
        assert.ok(Object.keys(template.Resources).every((id) => /^[A-Za-z0-9]{1,255}$/.test(id)))
        for (const { Properties = {} } of resourcesOf(template, 'AWS::SQS::Queue')) {
          assert.match(String(Properties['QueueName']), /^[\w-]{1,80}$|^(?=.{1,80}$)[\w-]+\.fifo$/)
          assert.equal(Properties['FifoQueue'] === true, String(Properties['QueueName']).endsWith('.fifo'))
          assert.ok(Number(Properties['VisibilityTimeout'] ?? 30) <= 43_200)
        }
        const names = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(({ Properties = {} }) => {
          assert.ok(String(Properties['AlarmDescription']).length <= 1024, String(Properties['AlarmDescription']))
          assert.ok(Number(Properties['Period'] ?? 300) * Number(Properties['EvaluationPeriods']) <= 86_400)
          return String(Properties['AlarmName'])
        })
        assert.equal(new Set(names).size, names.length)
        assert.ok(names.every((name) => name.length <= 255))
        assert.ok(resourcesOf(template, 'AWS::CloudWatch::Alarm').length === 0 || service.alarm !== undefined)
      }),
    )
  })

  it('the dashboard is JSON with a region in each chart, on the grid, and nothing on top of another', () => {
    fc.assert(
      fc.property(anyService, ({ service, consumers }) => {
        for (const { Properties = {} } of resourcesOf(plain(templateFor(service, consumers)), 'AWS::CloudWatch::Dashboard')) {
          const { widgets } = JSON.parse(String(Properties['DashboardBody'])) as { widgets: Widget[] }
          for (const { type, x, width, properties } of widgets) {
            assert.ok(type === 'text' || properties.region === REGION)
            assert.ok(x + width <= 24)
          }
          const cells = widgets.flatMap(({ x, y, height, width }) =>
            height > 1 ? [`${x},${y}`] : Array.from({ length: width / 8 }, (_, index) => `${index * 8},${y}`),
          )
          assert.equal(new Set(cells).size, cells.length)
        }
      }),
    )
  })

  it('the role may reach its own queues, key and table alone', () => {
    fc.assert(
      fc.property(anyService, ({ service, consumers }) => {
        const template = plain(templateFor(service, consumers))
        for (const { Properties = {} } of resourcesOf(template, 'AWS::IAM::ManagedPolicy')) {
          for (const { Action, Resource } of Object(Properties['PolicyDocument']).Statement) {
            assert.ok(Action.length > 0 && Resource.length > 0)
            assert.ok([...Action, ...Resource].every((text: string) => !text.includes('*')))
          }
        }
      }),
    )
  })

  it('YAML says what JSON says', () => {
    fc.assert(
      fc.property(anyService, ({ service, consumers }) => {
        const template = templateFor(service, consumers)
        for (const version of ['1.1', '1.2'] as const) {
          assert.deepEqual(parse(yamlOf(template), { version }), JSON.parse(JSON.stringify(template)))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('YAML says what JSON says of any data', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (data) => {
        for (const version of ['1.1', '1.2'] as const) {
          assert.deepEqual(parse(yamlOf(data), { version }), JSON.parse(JSON.stringify(data)))
        }
      }),
    )
  })
})

interface Widget {
  readonly type: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly properties: { readonly region?: string }
}
