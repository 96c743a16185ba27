/// What came back: a response, and for some stubs the endpoint's answer itself.
struct ServerAnswer: Sendable {
  var response: EndpointResponse
  var ready: (any Sendable)?
}
