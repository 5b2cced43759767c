import { permutationsOf } from '@assay/lib/domain/typosquatting'
import { swappedSuffixes, temptingWords } from '@assay/lib/domain/typosquatting-words'
import { compete } from './contest.ts'
import { run } from './program.ts'
import type { Row } from './table.ts'

/** Debian's, which has the module. */
const PYTHON = '/usr/bin/python3'
/** Five times in the same process, the median in milliseconds. */
const DNSTWIST = `
import json, sys, time, dnstwist
name, words, suffixes = sys.argv[1], sys.argv[2].split(), sys.argv[3].split()
times = []
for _ in range(5):
    start = time.perf_counter()
    fuzzer = dnstwist.Fuzzer(name, words, suffixes)
    fuzzer.generate()
    list(fuzzer.domains)
    times.append(1000 * (time.perf_counter() - start))
print(sorted(times)[2])`
const GOAL = 3

/** All permutations of a name, of the same words and suffixes; ours are some more. */
export const measureNames = (): Promise<Row[]> =>
  compete({
    what: 'permutations of example.com',
    ours: () => [...permutationsOf({ label: 'example', suffix: 'com' })],
    peers: [{ name: 'dnstwist, in its process', work: dnstwist, goal: GOAL }],
    rounds: 5,
  })

const dnstwist = async (): Promise<number> =>
  Number(await run(PYTHON, ['-c', DNSTWIST, 'example.com', temptingWords.join(' '), swappedSuffixes.join(' ')]))
