import MessageBus

@testable import LegoLinks

/// Calls of a program, as a desktop makes them.
enum Calls {
  static let name = "org.example.Photos"

  static func program(_ member: String, _ arguments: [BusArgument]) -> BusCall {
    BusCall(name, "/org/example/Photos", "org.freedesktop.Application", member, arguments)
  }

  static func open(_ links: String...) -> BusCall {
    program("Open", [.texts(links), .dictionary(["activation-token": .text("token")])])
  }

  static let activate = program("Activate", [.dictionary([:])])

  static func action(_ action: String, _ parameters: BusArgument...) -> BusCall {
    program(
      "ActivateAction",
      [.text(action), .array(of: "v", parameters.map { .variant($0) }), .dictionary([:])])
  }
}

extension BusClient {
  /// The last part of the name of the error that a call gets; `nil` for an answer.
  func refusal(of call: BusCall) async -> String? {
    do throws(BusFailure) {
      _ = try await self.call(call, within: .seconds(60))
      return nil
    } catch {
      return error.name.split(separator: ".").last.map(String.init) ?? error.description
    }
  }
}

extension ApplicationTimes {
  /// For a bus that is there, however busy the machine is.
  static var patient: ApplicationTimes {
    ApplicationTimes(
      answer: .seconds(60), handOver: .seconds(60), firstRetry: .milliseconds(5),
      longestRetry: .milliseconds(20))
  }
}
