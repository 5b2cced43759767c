import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actions } from '@assay/catalogue/catalogue'
import { formFields, isShown as kitIsShown } from '@assay/kit'
import { isShown } from '../src/shown.ts'

test('[OPEN-075] the form and the reader agree on which fields count, for every choice of every tool', () => {
  for (const { action } of actions) {
    const fields = formFields(action.fields)
    const choices = fields.filter(({ options }) => options)
    const inputs = [{}, ...choices.flatMap(({ name, options = [] }) => options.map(value => ({ [name]: value })))]
    for (const input of inputs) {
      for (const field of fields) {
        assert.equal(
          isShown(fields, input, field),
          kitIsShown(action.fields, input, field),
          `${action.path} ${field.name}`,
        )
      }
    }
  }
})
