// undici's index replaces the fetch dispatcher of the whole process when loaded. Its modules don't, but they come without types.

declare module 'undici/lib/dispatcher/agent.js' {
  import type { Agent } from 'undici';
  const agent: typeof Agent;
  export default agent;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool } from 'undici';
  const pool: typeof Pool;
  export default pool;
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import type { Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici';
  /** The options are also passed to its proxy agents. */
  const agent: new (options: EnvHttpProxyAgent.Options & Omit<ProxyAgent.Options, 'uri'>) => Dispatcher;
  export default agent;
}

declare module 'undici/lib/core/connect.js' {
  import type { buildConnector } from 'undici';
  const connect: typeof buildConnector;
  export default connect;
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  import type { Dispatcher } from 'undici';
  const dispatcher: typeof Dispatcher;
  export default dispatcher;
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici';
  const request: Dispatcher['request'];
  export default request;
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici';
  const connect: Dispatcher['connect'];
  export default connect;
}
