/** One argument of a device tool. None has a default: all are required (cloud protocol 2.9). */
type Property =
  | { readonly type: 'boolean'; readonly description: string }
  | {
      readonly type: 'integer';
      readonly description: string;
      readonly minimum: number;
      readonly maximum: number;
    };

export type Arguments = Readonly<Record<string, boolean | number>>;

/** A tool of the appliance itself, offered inside the voice socket. */
export interface DeviceTool {
  readonly name: string;
  /** For the model: what it does, and when. */
  readonly description: string;
  readonly properties: Readonly<Record<string, Property>>;
  /** For the owner's console, not for the model: hidden unless asked for with `withUserTools`. */
  readonly userOnly?: true;
  /** Its arguments are checked. A text for the model; booleans and numbers become text. Rejects with a Fault. */
  call(args: Arguments): ToolResult | Promise<ToolResult>;
}

export type ToolResult = string | boolean | number;

/** Takes the arguments of a tool out of a call; a text says what is wrong. What the tool does not know is left out. */
export function readArguments(
  tool: DeviceTool,
  given: Readonly<Record<string, unknown>>,
): Arguments | string {
  const args: Record<string, boolean | number> = {};
  for (const [name, property] of Object.entries(tool.properties)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (property.type === 'boolean') {
      if (typeof value !== 'boolean') return `${name}: expected true or false`;
      args[name] = value;
    } else {
      const { minimum, maximum } = property;
      const isInside =
        typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum;
      if (!isInside) return `${name}: expected a whole number from ${minimum} to ${maximum}`;
      args[name] = value;
    }
  }
  return args;
}

/** A tool as `tools/list` shows it. */
export function describeTool({ name, description, properties, userOnly }: DeviceTool): object {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: Object.keys(properties) },
    ...(userOnly && { annotations: { audience: ['user'] } }),
  };
}
