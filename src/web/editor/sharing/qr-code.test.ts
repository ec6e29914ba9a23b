import assert from 'node:assert/strict'
import { test } from 'node:test'
import { svgAddress, toSvg } from './qr-code.ts'

const MODULES = [
  [true, false],
  [false, true],
]

test('the SVG has one square for each dark module on white', () => {
  const svg = toSvg(MODULES, 64)
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="64" height="64"/)
  assert.match(svg, /viewBox="0 0 2 2"/)
  assert.match(svg, /<path fill="#fff" d="M0 0h2v2H0z"\/>/)
  assert.match(svg, /<path fill="#000" d="M0 0h1v1h-1zM1 1h1v1h-1z"\/><\/svg>$/)
})

test('the data URL contains the SVG', () => {
  const svg = toSvg(MODULES, 64)
  const address = svgAddress(svg)
  assert.ok(!address.includes('#'), 'a # would cut the address')
  assert.equal(decodeURIComponent(address.replace('data:image/svg+xml;charset=utf-8,', '')), svg)
})
