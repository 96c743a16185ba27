import DevicePermissions
import Glibc
import LegoKit

/// Prints the times at which a store's design contains a new camera status.
enum CameraMoments {
  /// Prints `ready` when the store is watching, then one line per status for an hour.
  ///
  /// Each line is the `CLOCK_MONOTONIC` time in nanoseconds, and is printed a few milliseconds
  /// later.
  static func printAll() async {
    await withContractors {
      $0.permissions = PermissionsService()
    } operation: {
      let lego = Lego(PermissionsBlueprint.Design(), feature: .permissions)
      lego.build(.watch(true))
      for await status in lego.designs.map(\.camera) where status != nil { break }
      let token = lego.observe(\.camera) { _ in
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let line = "\(Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec))"
        // Do not print immediately: the reader would take a processor from threads that are still
        // working.
        Task {
          try? await Task.sleep(for: .milliseconds(8))
          say(line)
        }
      }
      say("ready")
      try? await Task.sleep(for: .seconds(3600))
      token.cancel()
    }
  }

  /// Writes a line without buffering, because the reader waits for each line.
  private static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
  }
}
