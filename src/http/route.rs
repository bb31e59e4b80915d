//! An address of the house and the kinds of request that it takes. All others are refused with a word on what it does take.

use actix_web::dev::{AppService, HttpServiceFactory, RequestHead};
use actix_web::http::Method;
use actix_web::{FromRequest, Handler, HttpResponse, Resource, Responder, guard, web};

use crate::http::AppState;

/// A resource that remembers its methods.
pub struct Route {
    resource: Resource,
    takes: Vec<Method>,
    /// The answer to other methods, given those that are taken.
    refuse: fn(String) -> HttpResponse,
}

impl Route {
    pub fn new(path: &str, refuse: fn(String) -> HttpResponse) -> Route {
        Route { resource: web::resource(path), takes: Vec::new(), refuse }
    }

    /// For requests that do not pass, the address does not exist.
    pub fn only_if(mut self, passes: fn(&AppState, &RequestHead) -> bool) -> Route {
        self.resource = self.resource.guard(guard::fn_guard(move |context| {
            context.app_data::<web::Data<AppState>>().is_some_and(|app| passes(app, context.head()))
        }));
        self
    }

    /// A page that can be looked at.
    pub fn get<F, Args>(mut self, handler: F) -> Route
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let route = web::route().guard(guard::Any(guard::Get()).or(guard::Head()));
        self.resource = self.resource.route(route.to(handler));
        self.takes.extend([Method::GET, Method::HEAD]);
        self
    }

    pub fn post<F, Args>(self, handler: F) -> Route
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.take(Method::POST, handler)
    }

    pub fn put<F, Args>(self, handler: F) -> Route
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.take(Method::PUT, handler)
    }

    pub fn patch<F, Args>(self, handler: F) -> Route
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.take(Method::PATCH, handler)
    }

    pub fn delete<F, Args>(self, handler: F) -> Route
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.take(Method::DELETE, handler)
    }

    fn take<F, Args>(mut self, method: Method, handler: F) -> Route
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.resource = self.resource.route(web::method(method.clone()).to(handler));
        self.takes.push(method);
        self
    }
}

impl HttpServiceFactory for Route {
    fn register(self, config: &mut AppService) {
        let Route { resource, takes, refuse } = self;
        let takes: Vec<&str> = takes.iter().map(Method::as_str).collect();
        let takes = takes.join(", ");
        let refused = move || std::future::ready(refuse(takes.clone()));
        resource.default_service(web::route().to(refused)).register(config);
    }
}
