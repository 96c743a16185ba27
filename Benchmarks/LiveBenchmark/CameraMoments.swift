import DevicePermissions
import Glibc
import LegoKit

/// Prints when the design of a store knows of another status of the camera.
enum CameraMoments {
  /// Prints `ready` once the store watches, and then for each status a line with the nanoseconds of
  /// `CLOCK_MONOTONIC`, for an hour; each some milliseconds late.
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
        // Not at once: who reads it would take a processor from those who are still busy.
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

  /// Without a buffer: somebody waits for each line.
  private static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
  }
}
