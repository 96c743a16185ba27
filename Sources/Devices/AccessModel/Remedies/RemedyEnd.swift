extension Remedy {
  /// The event that ends the effect of a fix.
  ///
  /// It determines the clause about the duration and the order of fixes. The cases are declared in
  /// the order of their duration, with the shortest first.
  public enum End: Hashable, Sendable {
    /// The end of the shell or program that the fix started.
    case programExit
    /// A session switch, after which another session on the seat is active.
    case sessionSwitch
    /// An event of the device that udev processes.
    case deviceEvent(EventEffect)
    /// A replug of the device, or a reboot.
    case replug
    /// A restart of the container, at which its engine creates the node again.
    case containerStart
    /// The recreation of the container from its image.
    case containerCreation
    /// The recreation of the node or socket.
    ///
    /// If it is in memory, this happens at the next boot at the latest.
    case nodeCreation(path: String, isInMemory: Bool)
    /// The next mount of the filesystem.
    case mount
    /// The next boot of the machine.
    case boot
    /// A replug into another port.
    ///
    /// A rule for a port is considered lasting.
    case portChange
    /// The assignment of another number, and therefore another name, to the device.
    ///
    /// A fix for a name is considered lasting.
    case renumbering
    /// No event: the fix lasts until the user reverts it.
    case never

    /// The effect of a device event that undoes a fix.
    public enum EventEffect: Hashable, Sendable {
      /// udev removes user entries, because the device is tagged for the user of its seat.
      case removesEntries
      /// udev removes the entry of a user without a session on the seat.
      ///
      /// Since systemd 258, logind also removes the entry when another session becomes active.
      case removesOtherEntries
      /// A rule sets the mode, whose group bits are the mask of the ACL.
      case setsMode
      /// The effect of the rules is unknown.
      case unknown
    }

    /// A Boolean value that indicates whether the fix survives device events, logins, restarts and
    /// boots.
    public var isLasting: Bool { self >= .portChange }

    /// The code in JSON; `nil` if no event ends the fix.
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

    /// The duration, as a clause that starts with "until"; `nil` if no event ends the fix.
    public var clause: String? {
      switch self {
      case .programExit: "until that shell or program ends"
      case .sessionSwitch: "until a replug, a reboot or a switch to another session on the seat"
      case .deviceEvent(.removesEntries):
        "until a replug, a reboot or udevadm trigger, or until the user leaves the seat"
      case .deviceEvent(.removesOtherEntries):
        """
        until a replug, a reboot or udevadm trigger; with systemd 258 or later, a switch to another \
        session ends it, too
        """
      case .deviceEvent(.setsMode): "until a replug, a reboot or udevadm trigger"
      case .deviceEvent(.unknown):
        "until a replug, a reboot or (if a rule sets the mode) udevadm trigger"
      case .replug: "until the device is replugged or the machine is rebooted"
      case .renumbering: "until the device gets another name"
      case .containerStart: "until the container is restarted"
      case .containerCreation: "until the container is recreated from its image"
      case .nodeCreation(let path, let isInMemory):
        "until \(path) is recreated" + (isInMemory ? ", at the next boot at the latest" : "")
      case .mount:
        "until the filesystem is mounted again; to keep it, change /etc/fstab or the mount unit"
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
