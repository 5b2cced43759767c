import type { Recording } from '@assay/kit'

/** Published answers with their signatures, for the examples. */
export const dnssecRecordings = {
  /** RFC 9102 §A.1, with the trust anchor given at the beginning of Appendix A. */
  chain: {
    now: '2019-06-01T00:00:00Z',
    dnssec: {
      anchors: '. IN DS 47005 13 2 2eb6e9f2480126691594d649a5a613de3052e37861634641bb568746f2ffc4d4',
      answers: {
        '. DNSKEY': {
          records: `. 86400 IN DNSKEY 256 3 13 zKz+DCWkNA/vuheiVPcGqsH40U84KZAlrMRIyozj9WHzf8PsFp/oR8j8vmjjWP98cbte4d8NvlGLxzbUzo3+FA==
. 86400 IN DNSKEY 256 3 13 8wMZZ4lzHdyKZ4fv8kys/t3QMlgvEadbsbyqWrMhwddSXCZYGRrsAbPpireRWxbVcd1VtOrlFBcRDMTN0R0XEQ==
. 86400 IN DNSKEY 257 3 13 yvX+VNTUjxZiGvtr060hVbrPV9H6rVusQtF9lIxCFzbZOJxMQBFmbqlc8XclvQ+gDOXnFOTsgs/frMmxyGOtRg==`,
          proof: `. 86400 IN RRSIG DNSKEY 13 0 86400 20201202000000 20181128000000 47005 . 3npnQO7sukvaHlwt1ImbLJZYk/N4bOdH9B5Q2d6MCnLfglYN+0jXFN4yg66ZpJwPy1DTqq2xo/xi7jqKCYi2vg==`,
        },
        'com. DS': {
          records: `com. 86400 IN DS 18931 13 2 20F7A9DB42D0E2042FBBB9F9EA015941202F9EABB94487E658C188E7BCB52115
com. 86400 IN DS 28809 13 2 AD66B3276F796223AA45EDA773E92C6D98E70643BBDE681DB342A9E5CF2BB380`,
          proof: `com. 86400 IN RRSIG DS 13 1 86400 20201202000000 20181128000000 31918 . Ei4nbUXZ6YFveSKtbqLnPoLSb84KS3GGJfMUUxrJL4roJBjfm4mPmJ0y6AvE3qunxKfI8XKttXztf7XnenhLBw==`,
        },
        'com. DNSKEY': {
          records: `com. 172800 IN DNSKEY 256 3 13 7IIE5Dol8jSMUqHTvOOiZapdEbQ9wqRxFi/zQcSdufUKLhpByvLpzSAQTqCWj3URIZ8L3Fa2gBLMOZUzZ1GQCw==
com. 172800 IN DNSKEY 257 3 13 RbkcO+96XZmnp8jYIuM4lryAp3egQjSmBaSoiA7H76Tm0RLHPNPUxlVk+nQ0fIc3I8xfZDNw8Wa0Pe3/g2QA/w==
com. 172800 IN DNSKEY 257 3 13 szc7biLo5J4OHlkan1vZrF4aD4YYf+NHA/GAqdNslY9xxK9Izg68XHkqck4RtDiVk37lNAQmgSlHbrGu0yOTkA==`,
          proof: `com. 172800 IN RRSIG DNSKEY 13 1 172800 20201202000000 20181128000000 18931 com. GKlI6yPUT4CryZI4/LQ8WhjevlcAT3NDWT9t627XHgRlSkM/eqGXITDZvZIcc9z2P89mXy8FoKrrr7BZ3BLJZQ==
com. 172800 IN RRSIG DNSKEY 13 1 172800 20201202000000 20181128000000 28809 com. YXDmlZvZ7W5XWDe29YC9mdvSSkRoKwo1liaiRrGBL1+QlrdeFX53hI8GiuAIXhpgn8GSmMM7c2hj+8zU2B9esg==`,
        },
        'example.com. DS': {
          records: `example.com. 172800 IN DS 1870 13 2 E9B533A049798E900B5C29C90CD25A986E8A44F319AC3CD302BAFC08F5B81E16`,
          proof: `example.com. 172800 IN RRSIG DS 13 2 172800 20201202000000 20181128000000 34327 com. ogPnBKb6y+sT/JOE/dbea1DeVlknHzjOgUmGhOY2MXLUfiMZ/bSiKliiMe3C8f9PsoEaGAe+cstSQaom/a7gOQ==`,
        },
        'example.com. DNSKEY': {
          records: `example.com. 3600 IN DNSKEY 257 3 13 JnA1XgyJTZz+psWvbrfUWLV6ULqIJyUS2CQdhUH9VK35bslWeJpRzrlxCUs7s/TsSfZMaGWVvlsuieh5nHcXzA==`,
          proof: `example.com. 3600 IN RRSIG DNSKEY 13 2 3600 20201202000000 20181128000000 1870 example.com. Rig4MHW440t0OiCbJ64UjRENThokYTipEIMknLShKi2bxMLXq16zr7n10QN+TV2oM5wWKpKY6b4YB0GoynSszA==`,
        },
        '_443._tcp.www.example.com. TLSA': {
          records: `_443._tcp.www.example.com. 3600 IN TLSA 3 1 1 8BD1DA95272F7FA4FFB24137FC0ED03AAE67E5C4D8B3C50734E1050A7920B922`,
          proof: `_443._tcp.www.example.com. 3600 IN RRSIG TLSA 13 5 3600 20201202000000 20181128000000 1870 example.com. zh063rfcfO5lbWHPtHLFl3yMnK6um3ZRVcUY+xB7ah/gNV+6r3U8GSgy+mIfpzqLhe1503QRc4dZj8yBLh7z+w==`,
        },
      },
    },
  },
} as const satisfies Record<string, Recording>
