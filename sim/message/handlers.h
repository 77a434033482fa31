/* Declares the handlers of tables/messages.def. Each performs one kind of message; the request is already decoded and
 * its lengths are checked. Returns MESSAGE_DONE or an effect, or MESSAGE_FAULT with the fault raised. */
#ifndef CMKIT_SIM_MESSAGE_HANDLERS_H
#define CMKIT_SIM_MESSAGE_HANDLERS_H

#include "sim/message/message.h"

struct request;

#define MESSAGE(FROM, TO, FUNCTION, MASK, VALUE, HEADER, CHANNELS, ADDRESS, DATA, DIRECTION, HANDLER, NAME)            \
    enum message_effect message_##HANDLER(struct request *request);
#define SAMPLER_MESSAGE(FROM, TO, TYPE, HANDLER, NAME, ORDER) enum message_effect message_##HANDLER(struct request *);
#include "tables/messages.def"

#define LSC_MESSAGE(NUMBER, DIRECTION, HANDLER, NAME) enum message_effect message_##HANDLER(struct request *request);
#define LSC_BLOCK(NUMBER, DIRECTION, HANDLER, NAME)   enum message_effect message_##HANDLER(struct request *request);
#define LSC_TYPED(NUMBER, DIRECTION, HANDLER, NAME)   enum message_effect message_##HANDLER(struct request *request);
#include "tables/lsc.def"
enum message_effect message_lsc_atomic(struct request *request);

#endif
