import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAYER_PALETTE } from '#domain/colors.ts'
import { paletteProperties } from './palette.ts'

test('the five colours become the five properties', () => {
  const properties = paletteProperties({ ...PLAYER_PALETTE, accent_color: '#0070D7' })
  assert.equal(properties['--q-bg'], '#ffffff')
  assert.equal(properties['--q-text'], '#37352F')
  assert.equal(properties['--q-button'], '#17C3B2')
  assert.equal(properties['--q-button-text'], '#ffffff')
  assert.equal(properties['--q-accent'], '#0070D7')
})

test('the stronger inks are readable where the chosen ones are not', () => {
  const properties = paletteProperties({ ...PLAYER_PALETTE, bg_color: '#101828' })
  assert.equal(properties['--q-strong-text'], '#ffffff')
  assert.equal(properties['--q-strong-button-text'], '#000000')
})

test('nothing but a colour ever reaches a stylesheet', () => {
  const properties = paletteProperties({ ...PLAYER_PALETTE, bg_color: 'red}body{display:none' })
  assert.equal(properties['--q-bg'], PLAYER_PALETTE.bg_color)
})
