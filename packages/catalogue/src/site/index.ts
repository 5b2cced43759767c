import { accessControlValidator } from './access-control-validator.ts'
import { httpHeaders } from './http-headers.ts'
import { urlMonitor } from './url-monitor.ts'

/** The tools that look at a web site, in page order. */
export const site = [accessControlValidator, urlMonitor, httpHeaders]
