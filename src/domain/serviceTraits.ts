// What kinds of services differ in, with the names that texts are filled with.
//
// A trait holds for every service of its kind, so it's known before anything is sent, and there is no need to learn it. What depends on the
// service at hand is no trait: what its version offers, or a token on the connection, is a `Capability`; what a key may do is a `KeyRight`; what
// the settings of a workflow decide is a member of its record, such as `reportsNodesAtEnd`. What documents differ in is in `definitionFormats`,
// since a document may be open without a connection.
import { type DefinitionFormat, definitionFormats } from './definitionFormat.ts';

export interface ServiceTraits {
  /** How people call the product, where all services of the kind are one. undefined: any service of the contract. */
  readonly product?: string;
  /** An address, as an example of what is to be entered. */
  readonly exampleUrl: string;
  /**
   * How the paths of the API and of the pages of its editor end: an address may be that of any of them, and is kept without. Without
   * this, a base URL ends with its version.
   */
  readonly ownPath?: RegExp;
  /** Its keys begin with what the setting says. Others are known only by their values. */
  readonly hasKeyPrefix: boolean;
  /** It takes a token for its MCP server, beside the key. */
  readonly takesMcpToken: boolean;
  /** Whose document a workflow's definition is. */
  readonly definitionFormat: DefinitionFormat;
  /** Whether the executions of a workflow stay when it's deleted. */
  readonly keepsExecutions: boolean;
  /** Whether a deployment takes effect a moment after its response. `deploy` waits for that. */
  readonly deploysLater: boolean;
  /** Whether a call that executes has the same key when it's sent again, so that the service can start only one execution. */
  readonly startsOnce: boolean;
}

const contract: ServiceTraits = {
  exampleUrl: 'https://example.com/api/v1',
  hasKeyPrefix: true,
  takesMcpToken: false,
  definitionFormat: 'service',
  keepsExecutions: true,
  deploysLater: false,
  startsOnce: true,
};

interface ProductTraits extends ServiceTraits {
  readonly product: string;
}

/** By the kind of the connection. */
export const serviceTraits: {
  readonly local: ServiceTraits;
  readonly remote: ServiceTraits;
  readonly n8n: ProductTraits;
} = {
  local: contract,
  remote: contract,
  n8n: {
    product: definitionFormats.n8n.product,
    exampleUrl: 'https://n8n.example.com',
    ownPath: /\/(api\/v1|(home|workflows?|projects|executions|settings)(\/.*)?)$/,
    hasKeyPrefix: false,
    takesMcpToken: true,
    definitionFormat: 'n8n',
    keepsExecutions: false,
    deploysLater: true,
    startsOnce: false,
  },
};
