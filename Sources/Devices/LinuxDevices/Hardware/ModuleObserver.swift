internal import AccessModel

/// Finds kernel modules that are loaded, built in, or installed for this kernel or for others.
struct ModuleObserver {
  var roots: MachineRoots

  /// The size limit for a list of modules, which usually has a few hundred kilobytes.
  private static let listLimit = 1 << 23

  /// Returns the modules whose load state and installation can be observed.
  func observe(
    _ names: [String], _ reader: inout HardwareReader
  ) -> [HardwareFacts.Module] {
    let path = "\(roots.proc)/sys/kernel/osrelease"
    guard let release = reader.line(path), !release.isEmpty,
      !release.utf8.contains(UInt8(ascii: "/"))
    else {
      reader.note(path, reason: "the running kernel has no name")
      return []
    }
    func listed(in path: String, _ reader: inout HardwareReader) -> Set<String>? {
      reader.found(KnownFiles.Search(path: path, names: names), limit: Self.listLimit) { list in
        let found = Self.modules(in: list)
        return Set(names.filter { found[HardwareFacts.moduleName($0)] != nil })
      }
    }
    let own = listed(in: "\(roots.modules)/\(release)/modules.dep", &reader)
    let builtIn = listed(in: "\(roots.modules)/\(release)/modules.builtin", &reader)
    let folders = reader.names(in: roots.modules) ?? []
    let kernels = folders.filter { $0 != release }.suffix(8)
    let others = kernels.map { ($0, listed(in: "\(roots.modules)/\($0)/modules.dep", &reader)) }
    let blacklisted = blacklist(&reader)
    // A container does not have the modules of its machine. If only other kernels have modules,
    // the modules of the running kernel were removed.
    let isListed = own != nil || !kernels.isEmpty && !folders.contains(release)
    if !isListed { reader.note(roots.modules, reason: "it contains no list of modules") }
    let folder = "\(roots.sysfs)/module"
    let isVisible = reader.isThere(folder)
    if isVisible != true { reader.note(folder, reason: "it is hidden") }
    return names.compactMap { name in
      // These names exist in every directory and are not modules.
      guard name != ".", name != ".." else { return nil }
      let isHere = isVisible == true ? reader.isThere("\(folder)/\(name)") : nil
      let isLoaded = builtIn?.contains(name) ?? false || isHere ?? false
      guard isLoaded || isListed && isHere != nil else { return nil }
      return HardwareFacts.Module(
        name: name, isLoaded: isLoaded, isInstalled: isLoaded || own?.contains(name) ?? false,
        isBlacklisted: blacklisted.contains(name),
        otherKernels: others.filter { $0.1?.contains(name) ?? false }.map(\.0))
    }
  }

  /// Returns the module that creates a node below `/dev`, such as `net/tun`; `nil` if it is
  /// unknown.
  ///
  /// kmod lists the nodes that exist before their module is loaded. Other nodes have the name of
  /// their module, or a known name with a number. A module that this kernel lacks is returned only
  /// if its node always belongs to that module.
  func module(
    ofNode name: String, _ reader: inout HardwareReader
  ) -> HardwareFacts.Module? {
    guard let release = reader.line("\(roots.proc)/sys/kernel/osrelease"),
      !release.isEmpty, !release.utf8.contains(UInt8(ascii: "/"))
    else { return nil }
    let path = "\(roots.modules)/\(release)/modules.devname"
    let list = reader.bytes(path, limit: Self.listLimit) ?? []
    let lines = list.split(separator: 0x0A)
    let known = lines.lazy.map { $0.split(separator: 0x20) }
      .first { $0.count == 3 && $0[1].elementsEqual(name.utf8) }
      .map { String(decoding: $0[0], as: UTF8.self) }
    let file = name.split(separator: "/").last ?? ""
    let certain = known ?? HardwareFacts.module(ofKnownNode: name)
    // The file of a module may have a hyphen where its name has an underscore.
    let candidates = certain.map { [$0] } ?? [HardwareFacts.moduleName(file), String(file)]
    let found = observe(candidates, &reader)
      .first { $0.isInstalled || $0.isLoaded || certain != nil }
    return found.map { module in
      var module = module
      module.name = HardwareFacts.moduleName(module.name)
      if known != nil { module.node = "/dev/\(name)" }
      return module
    }
  }

  /// Returns the modules that modprobe.d(5) prevents from being loaded automatically.
  private func blacklist(_ reader: inout HardwareReader) -> Set<String> {
    var modules: Set<String> = []
    for root in [roots.etc, roots.run, roots.lib] {
      let directory = "\(root)/modprobe.d"
      for name in (reader.names(in: directory) ?? []).prefix(256)
      where name.hasSuffix(".conf") {
        let search = KnownFiles.Search(path: "\(directory)/\(name)")
        modules.formUnion(reader.found(search, limit: 1 << 18, Self.blacklisted) ?? [])
      }
    }
    return modules
  }

  /// Returns the modules that the lines of one file prevent from being loaded.
  ///
  /// A line has the form `blacklist NAME`, or `install NAME` with a program that does nothing.
  /// modprobe(8) does not distinguish hyphens from underscores.
  static func blacklisted(in bytes: [UInt8]) -> Set<String> {
    var modules: Set<String> = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = line.split { $0 == 0x20 || $0 == 0x09 }.map {
        String(decoding: $0, as: UTF8.self)
      }
      guard words.count >= 2 else { continue }
      let isOff =
        words[0] == "blacklist"
        || words[0] == "install" && words.count == 3
          && ["/bin/false", "/bin/true", "/usr/bin/false", "/usr/bin/true"].contains(words[2])
      if isOff { modules.insert(HardwareFacts.moduleName(words[1])) }
    }
    return modules
  }

  /// Returns the modules in a list of files, with the path of each.
  ///
  /// A path, such as `kernel/sound/usb/snd-usb-audio.ko.xz`, ends at a colon or at the end of the
  /// line. The file of a module may have a hyphen where its name has an underscore.
  static func modules(in list: [UInt8]) -> [String: String] {
    var modules: [String: String] = [:]
    for line in list.split(separator: UInt8(ascii: "\n")) {
      let path = line.prefix { $0 != UInt8(ascii: ":") }
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { continue }
      let file = path[path.index(after: slash)...]
      let name = file.prefix { $0 != UInt8(ascii: ".") }
      // The rest is `.ko`, possibly followed by the suffix of a compression format.
      let rest = file.dropFirst(name.count)
      guard !name.isEmpty, rest.starts(with: ".ko".utf8),
        rest.count == 3 || rest.dropFirst(3).first == UInt8(ascii: ".")
      else { continue }
      modules[HardwareFacts.moduleName(String(decoding: name, as: UTF8.self))] = String(
        decoding: path, as: UTF8.self)
    }
    return modules
  }
}
