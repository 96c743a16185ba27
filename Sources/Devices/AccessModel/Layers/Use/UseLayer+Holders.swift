/// Fixes for a device that another program is using.
extension UseLayer {
  /// A Boolean value that indicates whether the node is a serial port that ModemManager may probe.
  private var isPortOfModems: Bool {
    ["/dev/ttyACM", "/dev/ttyUSB"].contains(where: path.hasPrefix) && confinement.container == nil
  }

  func useRemedies() -> [Remedy] {
    if let pipeline = usedPipeline,
      let first = HolderWords(pipeline.holders, showsServers: false).names.first
    {
      let close = Remedy(
        "Close \(first)", actor: .user, caution: Remedy.savedWork)
      let holder = pipeline.holders.first { !$0.process.isMediaServer }
      return [holder.flatMap { serviceRemedy($0.process) }, close].compactMap(\.self)
    }
    let known = assessment.otherHolders.first
    if path.hasPrefix("/dev/rfcomm"), known.map({ $0.process.name == "rfcomm" }) ?? true {
      return [bindRemedy]
    }
    guard let holder = known else {
      return [
        Remedy(
          "Close the program that uses it ('devaccess users', run as root, shows which it is)"
            + (isPortOfModems
              ? "; ModemManager, if it is running, releases a new port after a few seconds" : ""),
          actor: .user, caution: Remedy.savedWork)
      ]
    }
    let process = holder.process
    let name = HolderWords.word(process.name)
    if process.isMediaServer, isOfSubject(process) ?? true || isShared(process) {
      let condition =
        isShared(process)
        ? "\(user) may connect to it, such as through group pulse-access"
        : "the program can use \(name) in place of the device"
      let shared = Remedy(
        "Use the device through \(name), which shares it among programs", actor: .user,
        assumes: condition)
      // A program that asks for a node of a sound card, and not for sound, needs the card itself.
      guard facts.kind == nil, process.name == "pulseaudio", isOfSubject(process) == true,
        path.hasPrefix("/dev/snd/pcm")
      else {
        return [shared]
      }
      return [
        Remedy(
          """
          Start the program with pasuspender(1), which makes pulseaudio release its devices meanwhile; \
          replace PROGRAM with its command
          """, options: ["pasuspender -- PROGRAM"], actor: .user,
          caution: "no other program needs to play or record meanwhile"), shared,
      ]
    }
    if path.hasPrefix("/dev/watchdog") { return [watchdogRemedy(process)] }
    let desktop = desktopRemedies(process)
    guard desktop.isEmpty else { return desktop }
    if let container = containerRemedy(process) { return [container] }
    if let engine = process.container, confinement.container == nil {
      // The unit is that of the whole container.
      return [
        Remedy(
          """
          Have \(name) release the device in its own configuration, or do not pass the device to the \
          \(engine) container that it runs in
          """, actor: .administrator, caution: "nothing in that container needs the device")
      ]
    }
    // ModemManager needs no other change than not to use this device.
    let ignored =
      process.name == "ModemManager"
      ? UdevRuleRemedies(assessment: assessment, names: names).ignoreRule(path) : nil
    return [ignored, serviceRemedy(process), autospawnRemedy(process), closeRemedy(process)]
      .compactMap(\.self)
  }

  /// Returns the fix that stops the service of a watchdog only for a while.
  private func watchdogRemedy(_ process: HoldingProcess) -> Remedy {
    if process.id == 1, process.name == "systemd", confinement.container == nil {
      return managerWatchdogRemedy
    }
    let caution = """
      a reset of the machine does no harm: an armed watchdog that nothing feeds resets it
      """
    guard let unit = process.unit, unit.isUnitName, unit.hasSuffix(".service"),
      confinement.container == nil, process.unitUser == nil
    else {
      return Remedy(
        "Close the program \(HolderWords.word(process.name)) while another one uses the watchdog",
        actor: .administrator, caution: caution)
    }
    return Remedy(
      "Stop \(unit) while another program uses the watchdog, and start it again afterwards",
      commands: ["systemctl stop \(unit.shellOperand)"], actor: .administrator, until: .boot,
      caution: caution)
  }

  /// The fix that makes systemd release the watchdog, which it resets periodically
  /// (`RuntimeWatchdogSec=` in systemd-system.conf(5)).
  private var managerWatchdogRemedy: Remedy {
    let folder = "/etc/systemd/system.conf.d"
    return Remedy(
      "Turn off systemd's use of the watchdog (RuntimeWatchdogSec=)",
      commands: [
        "mkdir -p \(folder)",
        "printf '%s\\n' '[Manager]' 'RuntimeWatchdogSec=0' > \(folder)/zz-devaccess-watchdog.conf",
        "systemctl daemon-reexec",
      ], actor: .administrator,
      caution: "the machine need not be reset automatically when systemd stops responding")
  }

  /// Returns whether a process runs as the subject's user; `nil` if the user of the process is
  /// unknown.
  private func isOfSubject(_ process: HoldingProcess) -> Bool? {
    process.user.map { $0 == subject.fsuid }
  }

  /// Returns whether a media server is shared by all users, in which case it runs as its own user.
  private func isShared(_ process: HoldingProcess) -> Bool {
    isOfSubject(process) != true && process.unitUser == nil
      && ["pipewire", "pulse"].contains(process.userName)
  }

  /// Returns the fix that stops the program's container; `nil` if the program is not in a
  /// container.
  private func containerRemedy(_ process: HoldingProcess) -> Remedy? {
    guard let engine = process.container, ["docker", "podman"].contains(engine),
      let name = process.containerName, name.isRuleWord
    else { return nil }
    if name.hasPrefix("addon_") {
      return Remedy(
        """
        In Home Assistant, stop the add-on that runs in the \(name) container, and turn off \
        "Start on boot"
        """,
        actor: .administrator, caution: "nothing needs the add-on")
    }
    let place = confinement.container == nil ? "Stop" : "On the host, stop"
    return Remedy(
      "\(place) the \(name) container, and prevent \(engine) from starting it again",
      commands: ["\(engine) update --restart=no \(name)", "\(engine) stop \(name)"],
      actor: .administrator,
      assumes: "no other program, such as a supervisor, starts the container",
      caution: "nothing needs the container")
  }

  private func closeRemedy(_ process: HoldingProcess) -> Remedy {
    let name = HolderWords.word(process.name)
    guard isOfSubject(process) == false, confinement.container == nil, process.id > 1 else {
      return Remedy(
        "Close the program \(name) (process \(process.id))", actor: .user,
        assumes: confinement.container == nil ? nil : "nothing starts the program again",
        caution: Remedy.savedWork)
    }
    return Remedy(
      "Close the program \(name) (process \(process.id))", commands: ["kill \(process.id)"],
      actor: .administrator,
      assumes: "nothing starts the program again", caution: Remedy.savedWork)
  }

  /// Returns the user of a process, in the form that commands accept.
  private func ownerWord(_ process: HoldingProcess, _ id: UInt32) -> String {
    guard let name = process.userName, name.isRuleWord else { return names.userWord(id) }
    return name
  }

  /// The fix for a Bluetooth serial port whose node exists only while it is connected.
  ///
  /// `rfcomm connect` creates the node and keeps it open. A bound port connects when a program
  /// opens it.
  private var bindRemedy: Remedy {
    let number = path.drop { !$0.isNumber }
    let port = number.allSatisfy(\.isNumber) && !number.isEmpty ? String(number) : "N"
    return Remedy(
      """
      Bind the port instead of connecting it, so that it connects whenever a program opens it; \
      first run 'rfcomm -a', and replace ADDRESS and CHANNEL with what it shows
      """,
      commands: ["rfcomm release \(port)", "rfcomm bind \(port) ADDRESS CHANNEL"],
      actor: .administrator, until: .boot,
      assumes: Remedy.both(
        "'rfcomm connect' created \(path) ('devaccess users', run as root, shows the program)",
        "\(user) has permission to use the new node"), caution: "that connection can be ended")
  }

  /// Returns the fixes that make the desktop's file service (GVfs) release the device.
  ///
  /// The first fix is permanent: it masks the volume monitor that starts the service whenever such
  /// a device is connected. The service runs in a unit that it shares with other GVfs services, so
  /// neither fix stops the unit.
  ///
  /// - Returns: The fixes; empty if another program has the device open.
  private func desktopRemedies(_ process: HoldingProcess) -> [Remedy] {
    let kinds = ["gphoto2", "mtp", "afc"]
    guard process.isOfSystem != false, confinement.container == nil,
      confinement.hasSystemd != false,
      process.unitUser == nil || process.unitUser == subject.fsuid, process.user == subject.fsuid,
      // The kernel truncates command names to 15 bytes.
      let kind = kinds.first(where: {
        process.name == "gvfsd-\($0)"
          || "gvfs-\($0)-volume-monitor".hasPrefix(process.name)
            && process.name.utf8.count == 15
      })
    else { return [] }
    let devices =
      ["gphoto2": "cameras", "mtp": "MTP devices (such as phones)"][kind] ?? "iOS devices"
    let monitor = "gvfs-\(kind)-volume-monitor.service"
    return [
      Remedy(
        "Prevent the desktop from opening \(devices) automatically",
        commands: ["systemctl --user mask --now \(monitor)", "gio mount -s \(kind)"], actor: .user,
        caution: "file managers no longer need to show them"),
      Remedy(
        "Make the desktop release the device", commands: ["gio mount -s \(kind)"], actor: .user,
        until: .replug, caution: "nothing is copying files from it now"),
    ]
  }

  /// Returns the fix that stops the service that has the device open and prevents it from starting
  /// again.
  ///
  /// If only the process were closed, the service could restart it. Masking also prevents
  /// activation by D-Bus and sockets.
  ///
  /// - Returns: The fix; `nil` if the program is not a service, or if its service manager cannot be
  ///   reached.
  func serviceRemedy(_ process: HoldingProcess) -> Remedy? {
    if let server = mediaServerUnit(of: process), let owner = process.user {
      return otherUserRemedy(server, process, owner)
    }
    guard let unit = process.unit, unit.isUnitName, unit.hasSuffix(".service"),
      !Self.isOfManyPrograms(unit), confinement.container == nil, confinement.hasSystemd != false
    else { return nil }
    if let owner = process.unitUser, owner != subject.fsuid {
      return process.userName?.isRuleWord == true ? otherUserRemedy(unit, process, owner) : nil
    }
    let manager = process.unitUser == nil ? "systemctl" : "systemctl --user"
    return Remedy(
      "Stop \(unit), and prevent it from starting again",
      // A unit whose file is in /etc or in the home directory cannot be masked.
      commands: [
        """
        \(manager) mask --now \(unit.shellOperand) || \
        \(manager) disable --now \(unit.shellOperand)
        """
      ], actor: process.unitUser == nil ? .administrator : .user,
      caution: "no other program needs \(unit)")
  }

  /// Returns the unit of another user's PipeWire daemon, whose own unit is not known.
  ///
  /// The socket of the unit starts the daemon again whenever it ends.
  private func mediaServerUnit(of process: HoldingProcess) -> String? {
    guard process.name == "pipewire", process.unit == nil, confinement.container == nil,
      confinement.hasSystemd != false, let owner = process.user, owner >= 1000,
      owner != subject.fsuid, process.userName?.isRuleWord == true
    else { return nil }
    return "pipewire.service"
  }

  /// Returns whether stopping a unit would also end other programs, such as a session or the
  /// message bus.
  ///
  /// Programs that the message bus starts can run in the unit of the bus.
  private static func isOfManyPrograms(_ unit: String) -> Bool {
    [
      "user@", "dbus", "gdm", "sddm", "lightdm", "display-manager", "getty@", "gnome-shell",
      "gnome-session", "org.gnome.Shell", "plasma-kwin", "plasma-plasmashell", "plasma-ksmserver",
      "plasma-kded", "xdg-desktop-portal", "graphical-session", "docker.", "containerd.",
    ].contains(where: unit.hasPrefix)
  }

  /// Returns the fix that masks a user service only for the account that runs it.
  ///
  /// The account belongs, for example, to a login screen or another session. Media servers are also
  /// activated by their sockets.
  private func otherUserRemedy(_ unit: String, _ process: HoldingProcess, _ owner: UInt32) -> Remedy
  {
    let account = ownerWord(process, owner)
    let hasSocket = ["pipewire.service", "pipewire-pulse.service", "pulseaudio.service"]
    let socket = hasSocket.contains(unit) ? unit.replacing(".service", with: ".socket") + " " : ""
    return Remedy(
      "Stop \(unit) of \(account), and prevent it from starting again for that account only",
      commands: [
        "systemctl --user -M \("\(account)@".shellQuoted) mask --now \(socket)\(unit.shellOperand)"
      ], actor: .administrator,
      assumes: Remedy.both(
        "systemd is 248 or newer", "the unit file is not in \(account)'s home directory"),
      caution: "\(account) does not need \(HolderWords.word(process.name))")
  }

  /// Returns the fix that ends a PulseAudio server that was started by a program of another user.
  private func autospawnRemedy(_ process: HoldingProcess) -> Remedy? {
    guard process.isMediaServer, process.name == "pulseaudio", isOfSubject(process) == false,
      confinement.container == nil, let owner = process.user, process.userName?.isRuleWord == true,
      process.unit.map({ !$0.hasSuffix(".service") || $0.hasPrefix("user@") }) ?? true
    else { return nil }
    let account = ownerWord(process, owner)
    let write = "mkdir -p ~/.config/pulse; echo autospawn = no >> ~/.config/pulse/client.conf"
    return Remedy(
      """
      Stop pulseaudio (process \(process.id)) of \(account), and prevent programs from starting \
      it again
      """,
      commands: [
        "su -s /bin/sh \(account) -c \("HOME=~\(account); \(write)".shellQuoted)",
        "kill \(process.id)",
      ], actor: .administrator,
      assumes: "no systemd unit starts it", caution: "\(account) does not need pulseaudio")
  }
}

/// Phrases for the programs that have a device open.
struct HolderWords: Sendable {
  private let holders: [DeviceHolder]
  private let showsServers: Bool

  /// Creates phrases for the given programs.
  ///
  /// - Parameters:
  ///   - holders: The programs, with the most important one first.
  ///   - showsServers: Pass `false` to leave out the media server of a client.
  init(_ holders: [DeviceHolder], showsServers: Bool = true) {
    self.holders = holders
    self.showsServers = showsServers
  }

  /// A phrase for all programs, such as `cheese (process 4711, user alice) and 2 more programs`.
  ///
  /// The value is `nil` if there are no programs.
  var text: String? {
    guard let first = names.first else { return nil }
    switch names.count {
    case 1: return first
    case 2: return "\(first) and 1 more program"
    default: return "\(first) and \(names.count - 1) more programs"
    }
  }

  /// One phrase per program.
  ///
  /// A media server is replaced with its streaming clients, if it has any.
  var names: [String] {
    holders.flatMap { holder in
      let server = Self.word(holder.process.name)
      let clients = (holder.clients ?? []).filter(\.isStreaming)
      guard clients.isEmpty else {
        return clients.map { Self.name(of: $0, through: showsServers ? server : nil) }
      }
      return [Self.name(of: holder.process)]
    }
  }

  private static func name(of process: HoldingProcess) -> String {
    var parts = ["process \(process.id)"]
    if let user = process.userName.map(word) ?? process.user.map({ String($0) }) {
      parts.append("user \(user)")
    }
    let place = process.application ?? process.containerName ?? process.unit
    if let place { parts.append(word(place)) }
    return "\(word(process.name)) (\(parts.joined(separator: ", ")))"
  }

  private static func name(of client: MediaClient, through server: String?) -> String {
    let parts = [
      client.processID.map { "process \($0)" }, client.application.map(word),
      server.map { "through \($0)" },
    ].compactMap(\.self)
    return word(client.name) + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
  }

  /// Returns the name of a program for use in a sentence.
  ///
  /// A program can choose its name, so the name is quoted if necessary to keep it distinct from the
  /// sentence.
  static func word(_ name: String) -> String {
    name.isEmpty ? "a program" : name.shellQuoted
  }
}
