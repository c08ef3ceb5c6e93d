/**
 * What the device tools can see and do: the parts of the appliance as its root joins them. A function that cannot do what
 * it is asked throws a Fault, whose code and sentence the cloud is told.
 */
export interface DeviceParts {
  /** Name and version for `initialize`. */
  readonly info: { readonly name: string; readonly version: string };
  /** Loudness of the speaker, 0 to 100. */
  readonly volume: Dial;
  readonly microphone: {
    /** Nothing is heard now, whichever mute it is. */
    readonly muted: () => boolean;
    /** The mute of the software. Throws MUTED where it is to hear and the switch of the terminal is on. */
    readonly mute: (on: boolean) => void | Promise<void>;
  };
  /** Brightness of the terminal's lights, 0 to 100; absent where there are none. */
  readonly lights?: Dial;
  /** What the machine is and how it fares; absent parts are not told (cloud protocol 4). */
  readonly machine?: () => MachineStatus | Promise<MachineStatus>;
  /** For the owner's console: a small object of plain facts, without secrets. */
  readonly systemInfo: () => object | Promise<object>;
  /**
   * Starts the appliance anew, soon after this returns, so that the answer still leaves. Absent: the owner has not allowed
   * it, and it is refused.
   */
  readonly reboot?: () => void | Promise<void>;
}

/** Something that stands between 0 and 100. */
interface Dial {
  readonly get: () => number;
  readonly set: (percent: number) => void | Promise<void>;
}

/** The parts of `self.get_device_status` that depend on the machine, as every device of this family tells them. */
export interface MachineStatus {
  readonly network?: {
    readonly type: 'wifi' | 'ethernet';
    readonly ssid?: string;
    readonly signal?: 'strong' | 'medium' | 'weak';
  };
  /** Degrees Celsius. */
  readonly chip?: { readonly temperature: number };
}
