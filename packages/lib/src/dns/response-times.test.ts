import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { barOf, gradeOf, medianOf, percentOf, rounded, timesOf } from './response-times.ts'

test('[BEN-064] [BEN-065] [BEN-066] [BEN-067] grades change above 50, 100 and 300 ms', () => {
  const graded = [0, 50, 50.01, 51, 100, 100.01, 101, 300, 300.01, 301, 7000].map(gradeOf)
  assert.deepEqual(graded, [
    ...['Excellent', 'Excellent', 'Good', 'Good', 'Good', 'Average', 'Average', 'Average', 'Poor', 'Poor', 'Poor'],
  ])
})

test('[BEN-068] [OPEN-060] a bar is (2000 - average) / 2000, never below none nor above all', () => {
  assert.deepEqual([0, 500, 1000, 2000, 2500, -5].map(barOf), [1, 0.75, 0.5, 0, 0, 1])
})

test('[BEN-063] average and median have two decimals', () => {
  assert.deepEqual(timesOf([10.111, 20.222, 40.444]), { avg: 23.59, min: 10.11, max: 40.44, med: 20.22 })
  assert.deepEqual(timesOf([1, 2, 4, 8]), { avg: 3.75, min: 1, max: 8, med: 3 })
  assert.deepEqual(timesOf([]), { avg: null, min: null, max: null, med: null })
})

test('medians equal those of Python', () => {
  const lists = [[3], [3, 1], [5, 1, 4], [9.5, 2.25, 7.75, 1], [10, 10, 1, 1, 5]]
  const program = `import statistics,json;print(json.dumps([statistics.median(l) for l in ${JSON.stringify(lists)}]))`
  assert.deepEqual(lists.map(medianOf), JSON.parse(execFileSync('python3', ['-c', program], { encoding: 'utf8' })))
  assert.equal(medianOf([]), undefined)
})

test('[OPEN-062] percentages are whole, half up, and 0 of 0 is 0', () => {
  assert.deepEqual([percentOf(2, 3), percentOf(1, 8), percentOf(0, 0), percentOf(3, 3)], [67, 13, 0, 100])
  assert.equal(rounded(12.34567, 3), 12.346)
})
