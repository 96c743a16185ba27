extension Remedy {
  /// The event that ends the effect of a fix.
  ///
  /// The clause about the duration and the order of the fixes depend on it. The cases are declared
  /// by duration, the shortest first.
  public enum End: Hashable, Sendable {
    /// The shell or program that the fix started ends.
    case programExit
    /// Another session on the seat becomes active.
    case sessionSwitch
    /// udev handles the device again.
    case deviceEvent(EventEffect)
    /// The device is plugged in again.
    case replug
    /// The container is started again: its engine creates the node at every start.
    case containerStart
    /// The container is created again from its image.
    case containerCreation
    /// The node or socket is created again, at the next boot at the latest if it is in memory.
    case nodeCreation(path: String, isInMemory: Bool)
    /// The filesystem is mounted again.
    case mount
    /// The machine is started again.
    case boot
    /// The device is plugged into another port. A rule for a port counts as lasting.
    case portChange
    /// The device gets another number, which also determines its name.
    ///
    /// A fix for a name counts as lasting.
    case renumbering
    /// No event ends it. It lasts until the user reverts it.
    case never

    /// The effect of a device event that undoes the fix.
    public enum EventEffect: Hashable, Sendable {
      /// udev removes the entries of users, because the device is tagged for the user of its seat.
      case removesEntries
      /// The same for a user without a session on the seat, whose entry logind only removes since
      /// systemd 258 when another session becomes active.
      case removesOtherEntries
      /// A rule sets the mode, which also bounds the access list.
      case setsMode
      /// The effect of the rules is unknown.
      case unknown
    }

    /// A Boolean value that indicates whether the fix outlasts device events, logins, program
    /// starts and boots.
    public var isLasting: Bool { self >= .portChange }

    /// The code in JSON; `nil` if the fix has no end.
    public var code: String? {
      switch self {
      case .programExit: "program_exit"
      case .sessionSwitch: "session_switch"
      case .deviceEvent: "device_event"
      case .replug: "replug"
      case .renumbering: "renumbering"
      case .containerStart: "container_start"
      case .containerCreation: "container_creation"
      case .nodeCreation: "node_creation"
      case .mount: "mount"
      case .boot: "boot"
      case .portChange: "port_change"
      case .never: nil
      }
    }

    /// The duration as one clause that begins with "until"; `nil` if the fix has no end.
    public var clause: String? {
      switch self {
      case .programExit: "until that shell or program ends"
      case .sessionSwitch: "until another session on the seat becomes active"
      case .deviceEvent(.removesEntries):
        "until a replug, a reboot or udevadm trigger, or until the user leaves the seat"
      case .deviceEvent(.removesOtherEntries):
        """
        until a replug, a reboot or udevadm trigger; with systemd 258 or later, also until another \
        session becomes active on the seat
        """
      case .deviceEvent(.setsMode): "until a replug, a reboot or udevadm trigger"
      case .deviceEvent(.unknown):
        "until a replug, a reboot, or a udev event (udevadm trigger) that sets the mode"
      case .replug: "until the device is replugged or the machine is rebooted"
      case .renumbering: "until the device gets another name"
      case .containerStart: "until the container is restarted"
      case .containerCreation: "until the container is recreated from its image"
      case .nodeCreation(let path, let isInMemory):
        "until \(path) is recreated" + (isInMemory ? ", at the next boot at the latest" : "")
      case .mount:
        "until the filesystem is mounted again; /etc/fstab or the mount unit sets the options"
      case .boot: "until the next boot"
      case .portChange: "until the device is plugged into another port"
      case .never: nil
      }
    }

    /// The position in the order of durations.
    private var rank: Int {
      switch self {
      case .programExit: 0
      case .sessionSwitch: 1
      case .deviceEvent: 2
      case .replug: 3
      case .containerStart: 4
      case .containerCreation: 5
      case .nodeCreation: 6
      case .mount: 7
      case .boot: 8
      case .portChange: 9
      case .renumbering: 10
      case .never: 11
      }
    }
  }
}

extension Remedy.End: Comparable {
  public static func < (first: Self, second: Self) -> Bool { first.rank < second.rank }
}
