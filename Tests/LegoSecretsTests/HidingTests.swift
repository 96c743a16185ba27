import Foundation
import LegoKit
import LegoSecrets
import LegoTesting
import Synchronization
import Testing

/// A design that holds a secret, and changes that carry one.
private struct Account: Blueprint {
  struct Design: Codable, Equatable, Sendable {
    var token: Secret<String>?
    var keys: [Secret<[UInt8]>] = []
    var byName: [String: Secret<User>] = [:]
  }

  enum Change: Codable, Equatable, Sendable {
    case signedIn(Secret<String>)
    case key(name: String, Secret<User>)
    case bytes(Secret<[UInt8]>)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .signedIn(let token): design.token = token
    case .key(let name, let user): design.byName[name] = user
    case .bytes(let bytes): design.keys.append(bytes)
    }
  }
}

/// Text that several threads write.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var sink: LogSink { LogSink { [self] line in lines.withLock { $0.append(line) } } }
  var all: [String] { lines.withLock { $0 } }
}

@Suite struct `A secret` {
  private let changes: [Account.Change] = [
    .signedIn(Secret("hunter2")), .key(name: "m", Secret(User(name: "hunter2", age: 4242))),
    .bytes(Secret([42, 42])), .signedIn(Secret("hunter3")),
  ]

  private func isHidden(_ text: String) -> Bool {
    !["hunter", "42"].contains { text.contains($0) }
  }

  @Test func `is not printed, dumped or reflected`() {
    let secret = Secret("hunter2")
    var text = "\(secret) \(String(reflecting: secret)) \([secret]) \(Optional(secret) as Any)"
    dump(secret, to: &text)
    dump(["a": secret], to: &text)
    #expect(isHidden(text))
    #expect(text.contains("(secret)"))
    #expect(Mirror(reflecting: secret).children.isEmpty)
    #expect(secret.value == "hunter2")
  }

  @Test func `is in neither the log, the recording nor the trace of a store`() throws {
    let log = Lines()
    let recording = Lines()
    let traced = Lines()
    let lego = Lego(
      .init(), blueprint: Account(), enableLogs: true, logSink: log.sink,
      tracer: LegoTracer { event in traced.sink.write("\(event)") })
    let token = lego.record(to: recording.sink)
    for change in changes { lego.build(change) }
    token.cancel()
    #expect(log.all.count == 4 && recording.all.count == 4)
    // What changed shows, and not into what.
    #expect(log.all.last?.contains("token: (secret) → (secret)") == true)
    #expect((log.all + recording.all + traced.all).allSatisfy(isHidden))

    var replay = try Replay(.init(), blueprint: Account(), lines: recording.all)
    replay.go(to: 4)
    #expect(replay.design.token == .withoutValue)
    #expect(replay.design.token?.value == nil)
    #expect(replay.design.keys == [.withoutValue])
    #expect(lego.design.token?.value == "hunter3")
  }

  @Test func `is known to have been there where it was decoded`() throws {
    let design = Account.Design(token: Secret("hunter2"), keys: [Secret([42])])
    let data = try JSONEncoder().encode(design)
    #expect(isHidden(String(decoding: data, as: UTF8.self)))
    let decoded = try JSONDecoder().decode(Account.Design.self, from: data)
    #expect(decoded == Account.Design(token: .withoutValue, keys: [.withoutValue]))
  }

  @Test func `equals another one with the same value`() {
    #expect(Secret(1) == Secret(1))
    #expect(Secret(1) != Secret(2))
    #expect(Secret(1) != .withoutValue)
    #expect(Secret<Int>.withoutValue == .withoutValue)
    #expect(Set([Secret(1), Secret(1), .withoutValue]).count == 2)
  }
}
