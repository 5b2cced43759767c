/** Tests share the machine, and sometimes the process, with programs that keep it busy: no request is turned away. */
export const unhurried = { ASSAY_LOOP_DELAY_MS: '60000' }
