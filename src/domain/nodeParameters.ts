// What a service knows of the parameters of its nodes.
import type { JsonObject } from '../base/json.ts';

/** A parameter of a node, as its type declares it. Texts are the service's own. */
export interface NodeParameter {
  readonly name: string;
  readonly isRequired: boolean;
  /** Its purpose; '' if it isn't known. */
  readonly description: string;
  /** The default, as the service writes it; '' if it isn't known. */
  readonly default: string;
  readonly type: ParameterType;
}

export interface ParameterType {
  /** In one line, in the service's notation. */
  readonly text: string;
  /** The values that it can have, where they can be listed. */
  readonly values: readonly (string | boolean)[];
  /** The members of an object, or of each item of a list. */
  readonly members: readonly NodeParameter[];
}

/** The type of a node, and what selects among the forms that its parameters have. */
export interface NodeTypeQuery {
  readonly type: string;
  readonly version: number;
  readonly parameters: JsonObject;
}

/** A node to check. */
export interface CheckedNode extends NodeTypeQuery {
  /** Whether it's a tool of an agent. */
  readonly isTool: boolean;
}

/** `path`: of the part of the parameters that it's about; empty for the node as a whole. */
export interface ParameterFault {
  readonly path: readonly string[];
  /** A sentence of the service. */
  readonly message: string;
}
