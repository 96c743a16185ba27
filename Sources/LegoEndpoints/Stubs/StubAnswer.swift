public import Foundation

/// What a stub does in the place of a server.
public struct StubAnswer<Answer: Sendable>: Sendable {
  enum Kind: Sendable {
    case ready(Answer)
    case response(status: Int, headers: HTTPHeaders, body: Data)
    case failure(EndpointError.Code)
    case silence
    case unencodable
  }

  let kind: Kind
  private(set) var delay: Duration

  fileprivate init(_ kind: Kind, after delay: Duration = .zero) {
    self.kind = kind
    self.delay = delay
  }

  /// The answer itself, without a status that is judged and a body that is read.
  public static func answer(_ answer: Answer) -> StubAnswer { StubAnswer(.ready(answer)) }

  /// A response.
  public static func response(
    status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()
  ) -> StubAnswer {
    StubAnswer(.response(status: status, headers: headers, body: body))
  }

  /// A response with a value as JSON.
  public static func json(_ value: some Encodable, status: Int = 200) -> StubAnswer {
    guard let body = try? JSONEncoder().encode(value) else { return StubAnswer(.unencodable) }
    return response(status: status, headers: ["Content-Type": "application/json"], body: body)
  }

  /// No response, for a reason such as `.connectionLost`.
  public static func failure(_ code: EndpointError.Code) -> StubAnswer {
    StubAnswer(.failure(code))
  }

  /// Nothing at all: the call waits for as long as it waits for a response.
  public static var silence: StubAnswer { StubAnswer(.silence) }

  /// The same, later.
  ///
  /// It waits on the clock among the contractors. If the delay is longer than the call waits for a
  /// response, the call fails when that time is over.
  public func after(_ delay: Duration) -> StubAnswer {
    var result = self
    result.delay = delay
    return result
  }

  /// The same for an answer of a type that is not known.
  var erased: StubAnswer<any Sendable> {
    let kind: StubAnswer<any Sendable>.Kind =
      switch kind {
      case .ready(let answer): .ready(answer)
      case .response(let status, let headers, let body):
        .response(status: status, headers: headers, body: body)
      case .failure(let code): .failure(code)
      case .silence: .silence
      case .unencodable: .unencodable
      }
    return StubAnswer<any Sendable>(kind, after: delay)
  }
}
