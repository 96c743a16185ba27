import Foundation
import Synchronization

/// The HTTP server of the tests, on the loopback.
final class LocalServer: Sendable {
  /// Its address.
  let base: URL
  /// Its other address, another host.
  let otherBase: URL
  private let process: Mutex<Process>

  /// The server that tests share; it ends with the process of the tests.
  static let shared = Result { try LocalServer() }

  init() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Support/http-server/server.py").standardizedFileURL
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-I", "-S", script.path]
    // The server ends when this pipe does.
    process.standardInput = Pipe()
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    while text.count(where: { $0 == "\n" }) < 2 {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { throw NoServer() }
      text += String(decoding: data, as: UTF8.self)
    }
    let ports = text.split(separator: "\n")
    guard let base = URL(string: "http://127.0.0.1:\(ports[0])"),
      let otherBase = URL(string: "http://127.0.0.2:\(ports[1])")
    else { throw NoServer() }
    (self.base, self.otherBase) = (base, otherBase)
    self.process = Mutex(process)
  }

  /// Ends it.
  func stop() { process.withLock { $0.terminate() } }
}

/// The server did not start.
struct NoServer: Error {}
