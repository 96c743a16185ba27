internal import Foundation
internal import JSONText
internal import LegoKit

/// Carries requests to stubs.
struct StubTransport: Transport {
  let stubs: EndpointStubs

  var needsClock: Bool { false }

  func send(_ request: ServerRequest) async throws(EndpointError) -> ServerAnswer {
    if Task.isCancelled { throw error(.cancelled, request, "the task was cancelled") }
    guard let answer = stubs.answer(to: request) else {
      let type = JSONQuotes.escaped("\(type(of: request.endpoint))")
      throw error(.noStub, request, "there is no stub for \(type)")
    }
    if case .silence = answer.kind {
      try await wait(request.responseLimit, request)
      throw timedOut(request)
    }
    try await wait(min(answer.delay, request.responseLimit), request)
    if answer.delay > request.responseLimit { throw timedOut(request) }
    return try result(answer.kind, request)
  }

  func close() async {}

  private func result(
    _ kind: StubAnswer<any Sendable>.Kind, _ request: ServerRequest
  ) throws(EndpointError) -> ServerAnswer {
    switch kind {
    case .ready(let answer):
      return ServerAnswer(response: EndpointResponse(status: 200, url: request.url), ready: answer)
    case .response(let status, let headers, let body):
      let response = EndpointResponse(
        status: status, headers: headers, body: body, url: request.url)
      if body.count > request.byteLimit {
        throw error(.tooLarge, request, "the body has more than \(request.byteLimit) bytes")
      }
      request.progress?(EndpointProgress(.received, bytes: body.count, total: body.count))
      return ServerAnswer(response: response)
    case .failure(let code): throw error(code, request, "the stub fails")
    case .silence: throw timedOut(request)
    case .unencodable: throw error(.noStub, request, "the stub's value cannot be encoded")
    }
  }

  private func wait(_ delay: Duration, _ request: ServerRequest) async throws(EndpointError) {
    guard delay > .zero else { return }
    do { try await Contractors().clock.sleep(for: delay) } catch {
      throw self.error(.cancelled, request, "the task was cancelled")
    }
  }

  private func timedOut(_ request: ServerRequest) -> EndpointError {
    error(.timedOut, request, "no response within \(request.responseLimit)")
  }

  private func error(
    _ code: EndpointError.Code, _ request: ServerRequest, _ reason: String
  ) -> EndpointError {
    EndpointError(code, request.printable, reason)
  }
}
