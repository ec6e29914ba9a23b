import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAYER_PALETTE } from '#domain/questionnaire/look/colors.ts'
import { paletteProperties } from './palette.ts'

test('the five colours become five custom properties', () => {
  const properties = paletteProperties({ ...PLAYER_PALETTE, accent_color: '#0070D7' })
  assert.equal(properties['--q-bg'], '#ffffff')
  assert.equal(properties['--q-text'], '#37352F')
  assert.equal(properties['--q-button'], '#17C3B2')
  assert.equal(properties['--q-button-text'], '#ffffff')
  assert.equal(properties['--q-accent'], '#0070D7')
})

test('the colours of the stronger contrast are readable where the chosen colours are not', () => {
  const properties = paletteProperties({ ...PLAYER_PALETTE, bg_color: '#101828' })
  assert.equal(properties['--q-strong-text'], '#ffffff')
  assert.equal(properties['--q-strong-button-text'], '#000000')
  assert.equal(properties['--q-scheme'], 'dark')
  assert.equal(paletteProperties(PLAYER_PALETTE)['--q-scheme'], undefined)
})

test('only valid colours reach a stylesheet', () => {
  const properties = paletteProperties({ ...PLAYER_PALETTE, bg_color: 'red}body{display:none' })
  assert.equal(properties['--q-bg'], PLAYER_PALETTE.bg_color)
})

test('font, corners and background become CSS properties only if they differ from the defaults', () => {
  const usual = { font: 'system', corners: 'soft', background_image_id: null } as const
  assert.deepEqual(paletteProperties(PLAYER_PALETTE, usual), paletteProperties(PLAYER_PALETTE))
  const background_image_id = '64038412-3456-8000-8000-000000000000'
  const own = paletteProperties(PLAYER_PALETTE, {
    font: 'lora',
    corners: 'square',
    background_image_id,
  })
  assert.equal(own['--q-font'], '"Lora",q-stand-in,q-stand-in1,q-stand-in2,Georgia,serif')
  assert.equal(own['--q-corner'], '0px')
  assert.match(own['--q-page'] ?? '', /^linear-gradient\(rgb\(255 255 255\/0\.62\)/)
  const none = paletteProperties(PLAYER_PALETTE, { background_image_id: ') red' })
  assert.equal(none['--q-page'], undefined)
})
