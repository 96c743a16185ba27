import DevicePermissions
import Glibc
import LegoKit
import LinuxDevices

/// Measures how much later than a bare loop a store's design reflects an event.
enum Delay {
  private static let count = 1000

  /// Creates and removes the watched album directory repeatedly, and prints the delays.
  static func measure() async {
    var template = Array("/tmp/devaccess-live-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { return print("no directory can be made") }
    let home = String(
      decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    let album = "\(home)/Pictures"
    defer {
      _ = unsafe rmdir(album)
      _ = unsafe rmdir(home)
    }
    let machine = LinuxMachine(environment: { $0 == "HOME" ? home : nil })
    let bare = Moments()
    guard BareLoop.start(watching: home, bare) else { return print("nothing tells of files") }
    await withContractors {
      $0.permissions = PermissionsService(machine: machine)
    } operation: {
      let lego = Lego(PermissionsBlueprint.Design(), feature: .permissions)
      lego.build(.watch(true))
      for await status in lego.designs.map(\.album) where status != nil { break }
      let design = Moments()
      let token = lego.observe(\.album) { _ in design.note() }
      print(results(album, bare: bare, design: design))
      token.cancel()
      await lego.build(.watch(false)).finished()
    }
  }

  private static func results(_ album: String, bare: Moments, design: Moments) -> String {
    var bareTimes: [Duration] = []
    var designTimes: [Duration] = []
    var differences: [Duration] = []
    for round in 0..<count {
      bare.clear()
      design.clear()
      // Wait until all threads are asleep, as they are before most events.
      usleep(5000)
      let start = ContinuousClock.now
      _ = round.isMultiple(of: 2) ? unsafe mkdir(album, 0o700) : unsafe rmdir(album)
      guard let first = bare.wait(), let last = design.wait() else {
        return "event \(round) was not seen within ten seconds"
      }
      bareTimes.append(start.duration(to: first))
      designTimes.append(start.duration(to: last))
      differences.append(first.duration(to: last))
    }
    let difference = differences.median
    return """
      event to a bare inotify loop     \(bareTimes.summary)
      event to the design of a store   \(designTimes.summary)
      the store after the bare loop    \(differences.summary)
        → \(difference.microseconds) µs at the median; target ≤ 200 µs \
      \(difference <= .microseconds(200) ? "met" : "MISSED")
      """
  }
}

extension [Duration] {
  var median: Duration { sorted()[count / 2] }

  var summary: String {
    let times = sorted()
    return "best \(times[0].microseconds)   median \(median.microseconds)"
      + "   p99 \(times[count * 99 / 100].microseconds) µs"
  }
}

extension Duration {
  /// The duration in whole microseconds, rounded down.
  var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
