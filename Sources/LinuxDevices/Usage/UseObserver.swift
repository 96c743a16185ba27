internal import AccessModel
internal import Glibc

/// Finds the processes that hold devices open, in one look at all processes.
///
/// It needs no privilege; the processes of others, which it may then not look into, are counted.
struct UseObserver {
  let roots: MachineRoots

  /// Who holds each of the devices.
  ///
  /// - Throws: `unavailable` where there is no `/proc`, `exhausted` for want of descriptors or
  ///   memory.
  func use(of targets: [UseTarget]) throws(DeviceError) -> UseFacts {
    let clock = MachineClock(proc: roots.proc)
    let numbers = try processes()
    let visibility = ProcessVisibility(proc: roots.proc)
    let sightings = try look(at: numbers, for: targets, visibility, clock)
    var facts = UseFacts(observedAt: clock.now)
    facts.unseen.reasons = visibility.hidingReasons(listed: numbers)
    var unseen: Set<Int32> = []
    for (number, sighting) in sightings {
      guard let reason = sighting.unseen else { continue }
      unseen.insert(number)
      facts.unseen.reasons.insert(reason)
    }
    facts.unseen.count = unseen.count
    let sound = SoundObserver(proc: roots.proc, clock: clock)
    for target in targets {
      var use = DeviceUse(node: target.node, kind: target.kind, device: target.device)
      use.holders = sightings.values.compactMap { sighting in
        guard let process = sighting.process, let hold = sighting.holds[target.number] else {
          return nil
        }
        return DeviceHolder(process, hold)
      }
      if let streams = sound.streams(of: target.device) {
        sound.add(streams, to: &use, unseen: unseen)
      }
      use.holders.sort { $0.process.id < $1.process.id }
      facts.devices.append(use)
    }
    addNames(to: &facts)
    return facts
  }

  private func look(
    at numbers: [Int32], for targets: [UseTarget], _ visibility: ProcessVisibility,
    _ clock: MachineClock
  ) throws(DeviceError) -> [Int32: ProcessSighting] {
    let refusal: UnseenProcesses.Reason = visibility.canTrace ? .refused : .notTraceable
    let proc = roots.proc
    do throws(Errno) {
      return try ProcessPass.look(at: numbers) { () throws(Errno) in
        try ProcessScanner(
          proc: proc, targets: targets, isLive: proc == MachineRoots().proc, refusal: refusal,
          observer: HolderObserver(clock: clock))
      }
    } catch {
      throw DeviceError(unableTo: "look at the processes below", proc, error)
    }
  }

  /// The numbers of all processes that are listed.
  private func processes() throws(DeviceError) -> [Int32] {
    let names: [String]?
    do throws(Errno) {
      names = try Directory.names(in: roots.proc)
    } catch {
      throw DeviceError(unableTo: "list the processes below", roots.proc, error)
    }
    let numbers = (names ?? []).compactMap { Int32($0) }.filter { $0 > 0 }
    // Somebody looks, so that one process at least runs.
    guard !numbers.isEmpty else {
      throw DeviceError(
        .unavailable, operation: "list the processes below", path: roots.proc,
        errno: .noSuchFile)
    }
    return numbers.sorted()
  }

  private func addNames(to facts: inout UseFacts) {
    var ignored: [Unobserved] = []
    var source = AccountSources.source(roots, &ignored)
    var names: [UInt32: String?] = [:]
    for device in facts.devices.indices {
      for index in facts.devices[device].holders.indices {
        guard let id = facts.devices[device].holders[index].process.user else { continue }
        let name = names[id] ?? (try? source.user(id))?.name
        names[id] = .some(name)
        facts.devices[device].holders[index].process.userName = name
      }
    }
  }
}
