import Foundation
import Glibc
package import Testing

/// A PipeWire camera on a private desktop, whose pictures are completely red.
///
/// WirePlumber, the session manager, makes it available to clients. It does not access the devices
/// of the machine.
package final class PrivateCamera {
  /// The size of the pictures, whose format is `RGB` with three bytes per pixel.
  package static let size = (width: 64, height: 48)

  private static let programs = [
    "/usr/bin/wireplumber", "/usr/bin/gst-launch-1.0", "/usr/bin/pw-cli",
  ]
  private static let plugin = "libgstpipewire.so"

  /// A Boolean value that indicates whether all required programs are installed.
  package static let isPossible: Bool = {
    guard programs.allSatisfy({ unsafe access($0, X_OK) == 0 }) else { return false }
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    return folders.contains { folder in
      unsafe access("/usr/lib/\(folder)/gstreamer-1.0/\(plugin)", R_OK) == 0
    }
  }()

  private let manager: StartedProgram
  private let source: StartedProgram

  /// Starts the camera and waits until PipeWire lists it.
  ///
  /// - Parameters:
  ///   - home: The home directory of the desktop.
  ///   - environment: The environment of the programs.
  /// - Throws: An error if a program does not start.
  init(home: String, environment: [String]) async throws {
    try Self.configure(home)
    manager = try StartedProgram([Self.programs[0]], environment: environment)
    let caps =
      "video/x-raw,format=RGB,width=\(Self.size.width),height=\(Self.size.height),framerate=20/1"
    source = try StartedProgram(
      [
        Self.programs[1], "-q", "videotestsrc", "is-live=true", "pattern=red", "!", caps, "!",
        "pipewiresink", "mode=provide",
        "stream-properties=props,media.class=Video/Source,media.role=Camera,node.name=red",
      ], environment: environment)
    for _ in 0..<600 {
      if try await Self.isShown(environment) { return }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw SystemError(call: "wireplumber", errno: ECHILD)
  }

  private static func isShown(_ environment: [String]) async throws -> Bool {
    let list = try StartedProgram([programs[2], "ls", "Node"], environment: environment)
    while let line = await list.nextLine() {
      if line.contains(#"media.role = "Camera""#) { return true }
    }
    return false
  }

  /// Configures WirePlumber not to access devices, in the two formats that its versions read.
  private static func configure(_ home: String) throws {
    let folder = "\(home)/.config/wireplumber"
    let off = ["alsa", "v4l2", "libcamera"].map { "\($0)_monitor.enabled = false\n" }.joined()
    let profile = ["alsa", "v4l2", "libcamera", "bluez", "alsa-midi", "bluez-midi"]
      .map { "monitor.\($0) = disabled\n" }.joined()
    for (name, text) in [
      "main.lua.d/80-test.lua": off,
      "bluetooth.lua.d/80-test.lua": "bluez_monitor.enabled = false\n",
      "wireplumber.conf.d/80-test.conf": "wireplumber.profiles = { main = {\n\(profile)} }\n",
    ] {
      let path = "\(folder)/\(name)"
      try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test that needs a PipeWire camera.
  package static var requiresMediaCamera: Self {
    .enabled(
      if: PrivateCamera.isPossible,
      "WirePlumber and GStreamer's PipeWire plugin, of the packages wireplumber, gstreamer1.0-tools, gstreamer1.0-plugins-base and gstreamer1.0-pipewire, are needed"
    )
  }
}
